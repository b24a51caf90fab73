// A processor that runs a kernel: an ordinary function on a stack of its own (a fiber), with a clock of its own that it
// advances as it computes, and that blocks where the device would. What it can wait for is up to the kind of machine.
// One that acts on a machine from outside, as a host does, is a processor on no tile.
#pragma once

#include <boost/context/fiber.hpp>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/fiber_switch.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/ledger.h"
#include "device_model/sim/simulation.h"

namespace nocbench {

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

class Processor {
public:
    /// The only processor of its core.
    static constexpr int kOnlyProcessor = -1;

    /// Where the processor is and what it runs.
    struct Identity {
        std::uint32_t index = 0;  // among the machine's processors
        NodeIndex node = 0;       // kOutside: on no tile, as a host is, which has no coordinates either
        LogicalCoordinate core;
        PhysicalCoordinate physical;
        int processor = 0;  // 0 or 1: riscv_0, riscv_1; or kOnlyProcessor
        Tick skew = 0;      // of the tile; see Event
        std::string kernel;

        /// Of a processor on no tile.
        static Identity outside(const std::string& kernel);
        [[nodiscard]] bool is_outside() const { return node == kOutside; }
        /// "kernel 'sender' on core (0, 0) riscv_0"
        [[nodiscard]] std::string name() const;
    };

    virtual ~Processor();
    Processor(const Processor&) = delete;
    Processor& operator=(const Processor&) = delete;

    [[nodiscard]] const Identity& identity() const { return identity_; }
    [[nodiscard]] Tick now() const { return now_; }

    /// Whatever the kernel API keeps for the kernel; the device model does not look at it.
    void set_context(void* context) { context_ = context; }
    [[nodiscard]] void* context() const { return context_; }
    [[nodiscard]] const std::vector<Zone>& zones() const { return zones_; }
    [[nodiscard]] const std::vector<TimestampedValue>& timestamped_values() const { return timestamped_values_; }

    // What the kernel does, through the kernel API.

    /// Lets time pass.
    void spend(Tick ticks, Cause cause = Cause::issue);

    /// Goes on to `tick`, unless it is there already. The time on the way is booked later, by book_until_now() at the
    /// latest at the end of the kernel.
    void advance_to(Tick tick);
    void book_until_now(Cause cause) { book(open_zone_, cause, now_ - booked_until_); }
    /// Up to where time has been booked.
    [[nodiscard]] Tick booked_until() const { return booked_until_; }

    /// Lets the rest of the device catch up with this processor's clock; what the kernel then sees is up to date.
    void synchronize();

    void open_zone(std::string name);
    void close_zone();
    void record(std::string name, std::uint64_t value);

    // What the device does.

    void run();
    void resume_at(Tick tick);
    /// The same instead of at now(), which was asked for before: that does not take place.
    void resume_instead_at(Tick tick);
    /// True if the resumption at `tick` does not take place. It is asked once for each.
    [[nodiscard]] bool has_cancelled(Tick tick);
    [[nodiscard]] bool is_finished() const { return finished_; }
    [[nodiscard]] ZoneReference zone() const { return {identity_.index, open_zone_}; }
    /// Books the time after what was booked last.
    void book(std::int32_t zone, Cause cause, Tick ticks);
    /// Books a wait that this processor left behind a while ago.
    void book_deferred(const DeferredWait& wait, Cause cause);
    /// What the kernel waits for, for the report of a deadlock.
    [[nodiscard]] virtual std::string waiting_description() const = 0;
    [[nodiscard]] std::string name() const { return identity_.name(); }

protected:
    Processor(Simulation& simulation, Identity identity, std::function<void()> entry, Tick start);

    /// The processor whose kernel is running; null outside of kernels.
    static Processor* running();

    /// Hands control to the device, until it resumes this processor.
    void suspend();
    [[nodiscard]] std::int32_t open_zone_index() const { return open_zone_; }
    /// The time up to now needs no booking, or will be booked later.
    void skip_booking() { booked_until_ = now_; }
    /// Unwinds the stack of a kernel that has not finished. The most derived class calls it first when it is destroyed:
    /// what the kernel holds may refer to it.
    void abandon();

private:
    [[nodiscard]] Event resumption(Tick tick) const;
    void run_kernel();
    void switch_to_kernel();
    void check_runaway() const;
    void book_stretch(std::int32_t zone, Cause cause, Tick begin, Tick end);

    Simulation& simulation_;
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

    std::vector<Tick> cancelled_;  // resumptions
    bool abandoned_ = false;
    StackBounds kernel_stack_;
    StackBounds device_stack_;
    boost::context::fiber kernel_;
    boost::context::fiber device_;
};

/// What one processor did.
struct KernelResult {
    Processor::Identity identity;
    std::vector<Zone> zones;
    std::vector<TimestampedValue> timestamped_values;

    /// The first zone called `name`. Throws InputError if the kernel opened none.
    [[nodiscard]] const Zone& zone(const std::string& name) const;
};

}  // namespace nocbench
