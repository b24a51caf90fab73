// Timing of a message from a host program to the bus in the FPGA, and of its answer.
//
// The stages are sequential servers: the host's driver or network stack, the wire, the Etherbone slave, the crossbar
// with its devices, and the same stages back. A slave in the FPGA streams: it accepts each word on arrival, and sends
// answers while the request is still arriving. If the host's driver is the slave, the call that writes the message
// executes its operations, with a read of the processor's bus for each.
//
// Times are ticks of the FPGA clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "device_model/sim/ledger.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/wishbone/arch/constants.h"
#include "device_model/wishbone/etherbone_slave.h"

namespace nocbench::wishbone {

/// Conversion between nanoseconds and ticks of a board's clock.
class BoardClock {
public:
    explicit BoardClock(const WishboneBoard& board) : clock_hz_(board.clock_hz) {}

    [[nodiscard]] Tick ticks(std::int64_t nanoseconds) const;
    [[nodiscard]] std::int64_t nanoseconds(Tick ticks) const;

private:
    std::int64_t clock_hz_;
};

/// Time at which the slave becomes free, shared by all its hosts.
struct SlaveOccupation {
    Tick free_at = 0;
};

/// Stage of a message or its answer. It begins at the end of the previous stage.
struct Stage {
    const PhaseKind* kind = nullptr;
    Cause cause = Cause::driver;
    Tick end = 0;
};

/// Times of a completed message and its answer.
struct Passage {
    Tick written = 0;   // return of the writing call, without the call's own time
    Tick answered = 0;  // resumption of a program that waits for the answer
    Tick frame = 0;     // duration of the request's frame on the wire
    std::vector<Stage> stages;

    /// Return when the message leaves the host, and when its answer is back.
    [[nodiscard]] Tick departure() const { return stages.front().end; }
    [[nodiscard]] Tick arrival() const { return stages[stages.size() - 2].end; }
};

class BridgePath final : public Pacing {
public:
    BridgePath(const WishboneBoard& board, SlaveOccupation& slave);

    /// Writes a message of `bytes` bytes; the call reaches the driver at `tick`. Returns the arrival of the first word
    /// at the slave. take_message() must be called at that time, before any later message of other hosts is taken.
    Tick send(Tick tick, std::size_t bytes);

    /// Begins the message at the slave, which reports its progress from then on. The first record includes
    /// `left_over_bytes` of an earlier message. Returns the time at which the message was sent.
    Tick take_message(std::size_t left_over_bytes = 0);

    /// Ends the message at the slave. `answer_bytes` is the size of the answer, or 0.
    Passage finish_message(std::size_t answer_bytes);

    void pass(std::size_t bytes) override;
    std::int64_t begin_operation(bool is_read, std::size_t bytes) override;
    void end_operation(Cycle acknowledge_cycles) override;
    void end_cycle() override;

private:
    struct Message {
        Tick sent = 0;         // by the program
        Tick departure = 0;    // from the driver or the network card
        Tick on_the_wire = 0;  // time of its first bit
        Tick arrival = 0;      // of its first word at the slave
        Tick frame = 0;        // duration on the wire
    };

    [[nodiscard]] Tick nanoseconds(std::int64_t value) const { return clock_.ticks(value); }
    [[nodiscard]] Tick bytes_on_wire(std::int64_t bytes) const { return nanoseconds(bytes * bridge_.byte_ns); }
    [[nodiscard]] Tick half_of_software() const;
    [[nodiscard]] Tick latency() const;
    [[nodiscard]] bool streams() const { return bridge_.executes_in_driver == 0; }
    /// Takes the next bytes of the request. Returns the time at which the slave has received them.
    Tick take(std::size_t bytes);
    /// Queues answer bytes that are ready at `ready` and correspond to request bytes.
    void answer(Tick ready, std::size_t bytes);
    void send_waiting_answers(Tick until);
    Passage finish_in_driver();
    Passage finish_stream(std::size_t answer_bytes);
    Tick completed_by_interrupt(Tick request_taken, Tick answer_there, bool has_answer);

    struct WaitingAnswer {
        Tick ready = 0;
        std::size_t bytes = 0;
    };

    const WishboneBoard& board_;
    const BridgeHostConstants& host_;
    const BridgeConstants& bridge_;
    const FpgaConstants& fpga_;
    BoardClock clock_;
    SlaveOccupation& slave_;

    Tick request_wire_free_ = 0;
    Tick answer_wire_free_ = 0;
    Tick last_interrupt_ = 0;
    std::deque<Message> on_the_way_;

    // State of the slave's current message.
    Message message_;
    Tick now_ = 0;                  // the slave's time
    Tick last_taken_ = 0;           // last word of the request
    std::int64_t taken_bytes_ = 0;  // of the message; negative: left over from an earlier message
    Tick operation_ = 0;            // on the bus
    std::size_t operation_bytes_ = 0;
    std::deque<Tick> acknowledgements_;  // operations in flight
    Tick last_acknowledgement_ = 0;
    std::deque<WaitingAnswer> waiting_;
    Tick last_answer_ = 0;  // end of the answer sent so far
    std::size_t sent_bytes_ = 0;
};

}  // namespace nocbench::wishbone
