// A data-movement RISC of a Tensix tile and its waits: for a command buffer of the NIU, and in loops that poll a
// counter or memory.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "device_model/sim/processor.h"
#include "device_model/tenstorrent/device_state.h"

namespace nocbench {

/// Condition that a kernel waits for. Lives on the kernel's stack during the wait.
class WaitCondition {
public:
    virtual ~WaitCondition() = default;
    [[nodiscard]] virtual bool is_met() const = 0;
    /// Returns the text for deadlock reports: "noc_async_read_barrier, for 3 reads to complete (2 have)".
    [[nodiscard]] virtual std::string description() const = 0;
};

class Risc : public Processor {
public:
    Risc(DeviceState& state, Identity identity, std::function<void()> entry, Tick start);
    ~Risc() override;
    Risc(const Risc&) = delete;
    Risc& operator=(const Risc&) = delete;

    /// Returns the RISC of the running kernel. Callable from kernels only.
    static Risc& current();

    [[nodiscard]] DeviceState& state() { return state_; }

    /// Waits until `buffer` of the NIU on `noc` is free, including the time of the polling loads.
    void wait_for_command_buffer(int noc, int buffer);

    /// Polls until `condition` holds: samples every `period`, with the value `load` after each sample. Time in flight
    /// of the awaited transaction is booked to `transit`.
    void wait_until(const WaitCondition& condition, Cause transit, Tick load, Tick period);

    /// End of a sleep; see sleep_until().
    struct Awakening {
        Tick begin = 0;    // of the round that sees the change, in time of this RISC
        Tick changed = 0;  // earlier samples miss the change
    };

    /// Rounds of a polling loop.
    struct Rounds {
        Tick begin = 0;        // of the next round
        Tick last_sample = 0;  // last sample of the previous round
        Tick period = 0;
        /// True if the loop polls both router state, which is ahead of kernels, and other state: the order of two
        /// changes is known only when kernels have caught up.
        bool looks_at_both = false;
    };

    /// Sleeps like a polling loop until `condition` holds. Books the time since the last booking to the obstacle of the
    /// transaction that ended the wait, else to `cause`.
    Awakening sleep_until(const WaitCondition& condition, Cause cause, const Rounds& rounds);

    /// Reports at `tick` that an awaited command buffer, or one that `condition` of sleep_until() polls, is free.
    /// Returns when the kernel resumes.
    Tick command_buffer_freed(Tick tick);

    /// Returns the period of its polls of L1 at `tick`, which must be close to the present; 0: no polls of L1.
    [[nodiscard]] Tick l1_poll_period(Tick tick) const;

    [[nodiscard]] bool is_waiting() const { return wait_.condition != nullptr || wait_.command_buffer >= 0; }

    /// Reports that counters or memory of the tile changed at `tick` because of `transaction` (null: because of the
    /// other RISC).
    void notify(Tick tick, const TransactionTimes* transaction);

    [[nodiscard]] std::string waiting_description() const override;

    /// Program counter of a compiled kernel, and its lookup in the source.
    struct RunningProgram {
        std::function<std::uint32_t()> program_counter;
        std::function<std::string(std::uint32_t)> where;
        std::function<std::uint32_t()> return_address;
    };
    void set_program(RunningProgram program) { program_ = std::move(program); }
    /// Place of a call whose command takes effect after the RISC has gone on.
    struct CallPlace {
        std::uint32_t program_counter = 0;
        std::uint32_t return_address = 0;
    };
    /// Makes the RISC appear to be at a call, until it is set to nothing.
    void appear_at(std::optional<CallPlace> place) { appears_at_ = place; }

    /// Returns 0 for a native kernel.
    [[nodiscard]] std::uint32_t program_counter() const {
        if (appears_at_.has_value()) {
            return appears_at_->program_counter;
        }
        return program_.program_counter ? program_.program_counter() : 0;
    }

    /// Returns the address at which the last call would return; 0 for a native kernel.
    [[nodiscard]] std::uint32_t return_address() const {
        if (appears_at_.has_value()) {
            return appears_at_->return_address;
        }
        return program_.return_address ? program_.return_address() : 0;
    }

    /// Counts a command given to a NIU and the bytes that it moves.
    void count_command(std::uint64_t bytes) {
        ++num_commands_;
        bytes_moved_ += bytes;
    }
    [[nodiscard]] std::uint64_t num_commands() const { return num_commands_; }
    [[nodiscard]] std::uint64_t bytes_moved() const { return bytes_moved_; }

    /// Counts arithmetic operations given to the units that compute, and the time of these units for them.
    void count_operations(std::uint64_t operations, Tick math_ticks) {
        num_operations_ += operations;
        math_ticks_ += math_ticks;
    }
    [[nodiscard]] std::uint64_t num_operations() const { return num_operations_; }
    [[nodiscard]] Tick math_ticks() const { return math_ticks_; }

private:
    struct Wait {
        const WaitCondition* condition = nullptr;
        Cause transit = Cause::round_trip;
        Tick since = 0;
        Tick load = 0;
        Tick period = 0;
        int command_buffer = -1;  // waits for this buffer instead
        bool sleeps = false;      // in sleep_until()
        Tick last_sample = 0;
        bool looks_at_both = false;
        Tick changed = 0;
    };

    /// Time in which L1 is polled.
    struct Polling {
        Tick begin = 0;
        Tick end = 0;
        Tick period = 0;
    };

    void end_wait();
    /// Ends a sleep for a change at `tick`. Returns the time from which the loop polls again.
    Tick look_again(Tick tick);
    /// Returns the start of the first round that sees a change at `tick`.
    Tick round_of(Tick tick) const;

    DeviceState& state_;
    Wait wait_;
    Polling last_polling_;
    RunningProgram program_;
    std::optional<CallPlace> appears_at_;
    std::uint64_t num_commands_ = 0;
    std::uint64_t bytes_moved_ = 0;
    std::uint64_t num_operations_ = 0;
    Tick math_ticks_ = 0;
};

}  // namespace nocbench
