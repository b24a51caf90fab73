// A data-movement RISC that runs a kernel: an ordinary function on a stack of its own (a fiber), with a clock of its
// own that it advances as it computes, and that blocks where the device would.
#pragma once

#include <boost/context/fiber.hpp>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "device_model/coordinate.h"
#include "device_model/device_state.h"
#include "device_model/fiber_switch.h"
#include "device_model/ledger.h"

namespace nocbench {

/// What a kernel waits for. Lives on the kernel's stack while it waits.
class WaitCondition {
public:
    virtual ~WaitCondition() = default;
    [[nodiscard]] virtual bool is_met() const = 0;
    /// For the report of a deadlock: "noc_async_read_barrier, for 3 reads to complete (2 have)".
    [[nodiscard]] virtual std::string description() const = 0;
};

/// A profiler zone of a kernel, with the cycles in it by cause. Zone 0 is the whole kernel.
struct Zone {
    std::string name;
    Tick start = 0;
    Tick end = -1;
    std::int32_t parent = -1;
    Ledger ledger;

    [[nodiscard]] bool is_closed() const { return end >= 0; }
};

/// A value that a kernel recorded with DeviceTimestampedData.
struct TimestampedValue {
    std::string name;
    std::uint64_t value = 0;
    Tick tick = 0;
};

class Risc {
public:
    /// Where the RISC is and what it runs.
    struct Identity {
        std::uint32_t index = 0;  // among the device's RISCs
        NodeIndex node = 0;
        LogicalCoordinate core;
        PhysicalCoordinate physical;
        int processor = 0;  // 0 or 1: riscv_0, riscv_1
        std::string kernel;
    };

    Risc(DeviceState& state, Identity identity, std::function<void()> entry, Tick start);

    ~Risc();
    Risc(const Risc&) = delete;
    Risc& operator=(const Risc&) = delete;

    /// The RISC whose kernel is running. Only kernels may ask.
    static Risc& current();

    [[nodiscard]] const Identity& identity() const { return identity_; }
    [[nodiscard]] DeviceState& state() { return state_; }
    [[nodiscard]] Tick now() const { return now_; }

    /// Whatever the kernel API keeps for the kernel; the device model does not look at it.
    void set_context(void* context) { context_ = context; }
    [[nodiscard]] void* context() const { return context_; }
    [[nodiscard]] const std::vector<Zone>& zones() const { return zones_; }
    [[nodiscard]] const std::vector<TimestampedValue>& timestamped_values() const { return timestamped_values_; }

    // What the kernel does, through the kernel API.

    /// Lets time pass.
    void spend(Tick ticks, Cause cause = Cause::issue);

    /// Lets the rest of the device catch up with this RISC's clock; what the kernel then sees is up to date.
    void synchronize();

    /// Returns once `buffer` of the NIU on `noc` can take a command; the loads that find this out are spent.
    void wait_for_command_buffer(int noc, int buffer);

    /// Polls until `condition` is met: samples every `period` and has the answer `load` after each sample. Time on the
    /// way of what is waited for is booked to `transit`.
    void wait_until(const WaitCondition& condition, Cause transit, Tick load, Tick period);

    void open_zone(std::string name);
    void close_zone();
    void record(std::string name, std::uint64_t value);

    // What the device does.

    void run();
    void resume_at(Tick tick);
    /// Counters or memory of the tile changed at `tick` because of `transaction` (null: because of the other RISC).
    void notify(Tick tick, const TransactionTimes* transaction);
    [[nodiscard]] bool is_finished() const { return finished_; }
    [[nodiscard]] ZoneReference zone() const { return {identity_.index, open_zone_}; }
    /// Books the time after what was booked last.
    void book(std::int32_t zone, Cause cause, Tick ticks);
    /// Books a wait that this RISC left behind a while ago.
    void book_deferred(const DeferredWait& wait, Cause cause);
    /// What the kernel waits for, for the report of a deadlock.
    [[nodiscard]] std::string waiting_description() const;
    /// "kernel 'sender' on core (0, 0) riscv_0"
    [[nodiscard]] std::string name() const;

private:
    void run_kernel();
    void switch_to_kernel();
    void suspend();
    void book_stretch(std::int32_t zone, Cause cause, Tick begin, Tick end);

    DeviceState& state_;
    Identity identity_;
    std::function<void()> entry_;
    void* context_ = nullptr;
    Tick now_ = 0;
    Tick booked_until_ = 0;
    bool finished_ = false;
    std::exception_ptr failure_;

    std::vector<Zone> zones_;
    std::int32_t open_zone_ = 0;
    std::vector<TimestampedValue> timestamped_values_;

    struct Wait {
        const WaitCondition* condition = nullptr;
        Cause transit = Cause::round_trip;
        Tick since = 0;
        Tick load = 0;
        Tick period = 0;
        int command_buffer = -1;  // waits for this one instead
    };
    Wait wait_;

    bool abandoned_ = false;
    StackBounds kernel_stack_;
    StackBounds device_stack_;
    boost::context::fiber kernel_;
    boost::context::fiber device_;
};

}  // namespace nocbench
