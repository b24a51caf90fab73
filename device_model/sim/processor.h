// Processor that runs a kernel: an ordinary function with its own stack (a fiber) and clock. The clock advances as the
// kernel computes, and the kernel blocks where the device would. The kind of machine defines the waits. A processor
// outside the machine, such as a host, is on no tile.
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

/// A profiler zone of a kernel, with its cycles by cause. Zone 0 is the whole kernel.
struct Zone {
    std::string name;
    Tick start = 0;
    Tick end = -1;
    std::int32_t parent = -1;
    Ledger ledger;

    [[nodiscard]] bool is_closed() const { return end >= 0; }
};

/// A value recorded by a kernel with DeviceTimestampedData.
struct TimestampedValue {
    std::string name;
    std::uint64_t value = 0;
    Tick tick = 0;
};

class Processor {
public:
    /// Value for the only processor of a core.
    static constexpr int kOnlyProcessor = -1;

    /// Location and kernel of a processor.
    struct Identity {
        std::uint32_t index = 0;  // among the machine's processors
        NodeIndex node = 0;       // kOutside: on no tile, without coordinates, such as a host
        LogicalCoordinate core;
        PhysicalCoordinate physical;
        int processor = 0;  // 0 or 1: riscv_0, riscv_1; or kOnlyProcessor
        Tick skew = 0;      // of the tile; see Event
        std::string kernel;

        /// Returns the identity of a processor on no tile.
        static Identity outside(const std::string& kernel);
        [[nodiscard]] bool is_outside() const { return node == kOutside; }
        /// Returns "kernel 'sender' on core (0, 0) riscv_0".
        [[nodiscard]] std::string name() const;
    };

    virtual ~Processor();
    Processor(const Processor&) = delete;
    Processor& operator=(const Processor&) = delete;

    [[nodiscard]] const Identity& identity() const { return identity_; }
    [[nodiscard]] Tick now() const { return now_; }

    /// Stores data of the kernel API, opaque to the device model.
    void set_context(void* context) { context_ = context; }
    [[nodiscard]] void* context() const { return context_; }
    [[nodiscard]] const std::vector<Zone>& zones() const { return zones_; }
    [[nodiscard]] const std::vector<TimestampedValue>& timestamped_values() const { return timestamped_values_; }

    // Interface for the kernel, through the kernel API.

    void spend(Tick ticks, Cause cause = Cause::issue);

    /// Advances to `tick` if later than now. The time is booked later, by book_until_now() or at the end of the kernel.
    void advance_to(Tick tick);
    void book_until_now(Cause cause) { book(open_zone_, cause, now_ - booked_until_); }
    [[nodiscard]] Tick booked_until() const { return booked_until_; }

    /// Lets the rest of the device catch up with this processor's clock, so that the kernel sees the current state.
    void synchronize();

    void open_zone(std::string name);
    void close_zone();
    void record(std::string name, std::uint64_t value);

    // Interface for the device.

    void run();
    void resume_at(Tick tick);
    /// Resumes at `tick`, and cancels the resumption requested for now().
    void resume_instead_at(Tick tick);
    /// Returns whether the resumption at `tick` has been cancelled, and forgets the cancellation.
    [[nodiscard]] bool has_cancelled(Tick tick);
    [[nodiscard]] bool is_finished() const { return finished_; }
    [[nodiscard]] ZoneReference zone() const { return {identity_.index, open_zone_}; }
    /// Books `ticks` that follow the last booking.
    void book(std::int32_t zone, Cause cause, Tick ticks);
    /// Books a past wait of this processor.
    void book_deferred(const DeferredWait& wait, Cause cause);
    /// Returns the condition that the kernel waits for, for deadlock reports.
    [[nodiscard]] virtual std::string waiting_description() const = 0;
    [[nodiscard]] std::string name() const { return identity_.name(); }

protected:
    Processor(Simulation& simulation, Identity identity, std::function<void()> entry, Tick start);

    /// Returns the processor of the running kernel; null outside of kernels.
    static Processor* running();

    /// Hands control to the device until it resumes this processor.
    void suspend();
    [[nodiscard]] std::int32_t open_zone_index() const { return open_zone_; }
    /// Marks the time up to now as booked: it needs no booking, or is booked later.
    void skip_booking() { booked_until_ = now_; }
    /// Unwinds the stack of an unfinished kernel. Most derived destructors must call it first: objects on the stack may
    /// refer to their members.
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

    std::vector<Tick> cancelled_;  // ticks of cancelled resumptions
    bool abandoned_ = false;
    StackBounds kernel_stack_;
    StackBounds device_stack_;
    boost::context::fiber kernel_;
    boost::context::fiber device_;
};

/// Results of one processor.
struct KernelResult {
    Processor::Identity identity;
    std::vector<Zone> zones;
    std::vector<TimestampedValue> timestamped_values;

    /// Returns the first zone called `name`. Throws InputError if there is none.
    [[nodiscard]] const Zone& zone(const std::string& name) const;
};

}  // namespace nocbench
