// A data-movement RISC of a Tensix tile, with the ways in which it waits: for a command buffer of its NIU, and in loops
// that poll a counter or memory.
#pragma once

#include <functional>
#include <string>

#include "device_model/sim/processor.h"
#include "device_model/tenstorrent/device_state.h"

namespace nocbench {

/// What a kernel waits for. Lives on the kernel's stack while it waits.
class WaitCondition {
public:
    virtual ~WaitCondition() = default;
    [[nodiscard]] virtual bool is_met() const = 0;
    /// For the report of a deadlock: "noc_async_read_barrier, for 3 reads to complete (2 have)".
    [[nodiscard]] virtual std::string description() const = 0;
};

class Risc : public Processor {
public:
    Risc(DeviceState& state, Identity identity, std::function<void()> entry, Tick start);
    ~Risc() override;
    Risc(const Risc&) = delete;
    Risc& operator=(const Risc&) = delete;

    /// The RISC whose kernel is running. Only kernels may ask.
    static Risc& current();

    [[nodiscard]] DeviceState& state() { return state_; }

    /// Returns once `buffer` of the NIU on `noc` can take a command; the loads that find this out are spent.
    void wait_for_command_buffer(int noc, int buffer);

    /// Polls until `condition` is met: samples every `period` and has the answer `load` after each sample. Time on the
    /// way of what is waited for is booked to `transit`.
    void wait_until(const WaitCondition& condition, Cause transit, Tick load, Tick period);

    /// How a sleep ended: see sleep_until().
    struct Awakening {
        Tick begin = 0;    // of the round in which the change shows; the time of this RISC
        Tick changed = 0;  // looks before do not see it
    };

    /// Rounds of a loop that only looks.
    struct Rounds {
        Tick begin = 0;        // of the next one
        Tick last_sample = 0;  // of the one before: its last look
        Tick period = 0;
        /// It looks at what routers change, who are ahead of kernels, and at what else there is, too: which of two
        /// changes comes first shows only when the kernels are there.
        bool looks_at_both = false;
    };

    /// Sleeps as a loop does that only looks, until `condition` is met. What was not booked yet belongs to the wait: to
    /// what was in the way of a transaction that ended it, else to `cause`.
    Awakening sleep_until(const WaitCondition& condition, Cause cause, const Rounds& rounds);

    /// A command buffer that it waits for, or that `condition` of sleep_until() looks at, is free from `tick` on.
    /// Returns when the kernel goes on.
    Tick command_buffer_freed(Tick tick);

    [[nodiscard]] bool is_waiting() const { return wait_.condition != nullptr || wait_.command_buffer >= 0; }

    /// Counters or memory of the tile changed at `tick` because of `transaction` (null: because of the other RISC).
    void notify(Tick tick, const TransactionTimes* transaction);

    [[nodiscard]] std::string waiting_description() const override;

    /// A compiled kernel: where it is, and what that is in its source.
    struct RunningProgram {
        std::function<std::uint32_t()> program_counter;
        std::function<std::string(std::uint32_t)> where;
    };
    void set_program(RunningProgram program) { program_ = std::move(program); }
    /// 0: the kernel has not been compiled for the RISC.
    [[nodiscard]] std::uint32_t program_counter() const {
        return program_.program_counter ? program_.program_counter() : 0;
    }

    /// Commands that it gave to NIUs, and bytes that they move.
    void count_command(std::uint64_t bytes) {
        ++num_commands_;
        bytes_moved_ += bytes;
    }
    [[nodiscard]] std::uint64_t num_commands() const { return num_commands_; }
    [[nodiscard]] std::uint64_t bytes_moved() const { return bytes_moved_; }

private:
    struct Wait {
        const WaitCondition* condition = nullptr;
        Cause transit = Cause::round_trip;
        Tick since = 0;
        Tick load = 0;
        Tick period = 0;
        int command_buffer = -1;  // waits for this one instead
        bool sleeps = false;      // in sleep_until()
        Tick last_sample = 0;
        bool looks_at_both = false;
        Tick changed = 0;
    };

    /// Of a sleeper: what has changed at `tick` ends its sleep. Returns from when on it looks again.
    Tick look_again(Tick tick);
    /// Begin of the first round in which a sleeper sees what has changed at `tick`.
    Tick round_of(Tick tick) const;

    DeviceState& state_;
    Wait wait_;
    RunningProgram program_;
    std::uint64_t num_commands_ = 0;
    std::uint64_t bytes_moved_ = 0;
};

}  // namespace nocbench
