// The times of a message on its way from a program on a host to the bus in the FPGA, and of its answer back.
//
// Stages, each of which serves one after the other: the driver or network stack of the host, the wire, the Etherbone
// slave, the crossbar and the devices, and the same back. The slave in the FPGA streams: it takes a word as soon as
// that is there, and the answer's words leave while those of the request still come in. Where the host's driver is the
// slave, the call that writes the message carries out its operations, with a read of the processor's bus for each.
//
// Times are ticks of the FPGA's clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/sim/ledger.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/wishbone/etherbone_slave.h"

namespace nocbench::wishbone {

/// Ticks of a board's clock and nanoseconds.
class BoardClock {
public:
    explicit BoardClock(const Board& board) : clock_hz_(board.clock_hz) {}

    [[nodiscard]] Tick ticks(std::int64_t nanoseconds) const;
    [[nodiscard]] std::int64_t nanoseconds(Tick ticks) const;

private:
    std::int64_t clock_hz_;
};

/// The time at which the slave is free again. All hosts that reach the slave share it.
struct SlaveOccupation {
    Tick free_at = 0;
};

/// A part of the way of a message and its answer. It begins when the stage before it ends.
struct Stage {
    const PhaseKind* kind = nullptr;
    Cause cause = Cause::driver;
    Tick end = 0;
};

/// The way of a message and its answer, once it is known.
struct Passage {
    Tick written = 0;   // the call that wrote it returns, beyond the call itself
    Tick answered = 0;  // a program that waits for the answer, or would, goes on
    std::vector<Stage> stages;

    /// The message leaves the host; its answer is back there.
    [[nodiscard]] Tick departure() const { return stages.front().end; }
    [[nodiscard]] Tick arrival() const { return stages[stages.size() - 2].end; }
};

class BridgePath final : public Pacing {
public:
    BridgePath(const Board& board, SlaveOccupation& slave);

    /// The program writes a message of so many bytes at `tick`, when the call reaches the driver. Returns when its
    /// first word reaches the slave: then, take_message() is to be called, before any later one of other hosts.
    Tick send(Tick tick, std::size_t bytes);

    /// The slave begins with it. `left_over_bytes` of an earlier message belong to its first record. From now on it is
    /// told what the slave does. Returns when the message was sent.
    Tick take_message(std::size_t left_over_bytes = 0);

    /// The slave is through with it; the answer has so many bytes, or 0 if there is none.
    Passage finish_message(std::size_t answer_bytes);

    void pass(std::size_t bytes) override;
    std::int64_t begin_operation(bool is_read, std::size_t bytes) override;
    void end_operation(Cycle acknowledge_cycles) override;
    void end_cycle() override;

private:
    struct Message {
        Tick sent = 0;         // by the program
        Tick departure = 0;    // from the driver or the network card
        Tick on_the_wire = 0;  // its first bit
        Tick arrival = 0;      // its first word, at the slave
    };

    [[nodiscard]] Tick nanoseconds(std::int64_t value) const { return clock_.ticks(value); }
    [[nodiscard]] Tick bytes_on_wire(std::int64_t bytes) const { return nanoseconds(bytes * bridge_.byte_ns); }
    [[nodiscard]] Tick half_of_software() const;
    [[nodiscard]] Tick latency() const;
    [[nodiscard]] bool streams() const { return bridge_.executes_in_driver == 0; }
    /// Takes the next bytes of the request: when the slave has them.
    Tick take(std::size_t bytes);
    /// The answer's bytes that stand for those of the request are ready.
    void answer(Tick ready, std::size_t bytes);
    void send_waiting_answers(Tick until);
    Passage finish_in_driver();
    Passage finish_stream(std::size_t answer_bytes);
    Tick completed_by_interrupt(Tick request_taken, Tick answer_there, bool has_answer);

    struct WaitingAnswer {
        Tick ready = 0;
        std::size_t bytes = 0;
    };

    const Board& board_;
    const BridgeHostConstants& host_;
    const BridgeConstants& bridge_;
    const FpgaConstants& fpga_;
    BoardClock clock_;
    SlaveOccupation& slave_;

    Tick request_wire_free_ = 0;
    Tick answer_wire_free_ = 0;
    Tick last_interrupt_ = 0;
    std::deque<Message> on_the_way_;

    // The state of the message that the slave is at.
    Message message_;
    Tick now_ = 0;                  // the slave's, up to which it is through
    Tick last_taken_ = 0;           // the last word of the request
    std::int64_t taken_bytes_ = 0;  // of the message; those left over from an earlier one are below zero
    Tick operation_ = 0;            // on the bus
    std::size_t operation_bytes_ = 0;
    std::deque<Tick> acknowledgements_;  // of operations in flight
    Tick last_acknowledgement_ = 0;
    std::deque<WaitingAnswer> waiting_;
    Tick last_answer_ = 0;  // the end of what has been sent of it
    std::size_t sent_bytes_ = 0;
};

}  // namespace nocbench::wishbone
