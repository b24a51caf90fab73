#include "device_model/sim/processor.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/context/protected_fixedsize_stack.hpp>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

// Limits how far a kernel that never synchronizes runs ahead of the device.
constexpr Tick kUnseenTicksMax = ticks_from_cycles(1'000'000);

constexpr std::size_t kStackBytes = 256 * 1024;

// A simulation runs on one thread, one kernel at a time.
thread_local Processor* running_processor = nullptr;

/// Thrown in waiting kernels when their device is destroyed.
class AbandonedKernel : public std::exception {};

}  // namespace

Processor::Processor(Simulation& simulation, Identity identity, std::function<void()> entry, Tick start)
    : simulation_(simulation),
      identity_(std::move(identity)),
      entry_(std::move(entry)),
      now_(start),
      booked_until_(start) {
    identity_.index = static_cast<std::uint32_t>(simulation_.processors.size());
    simulation_.processors.push_back(this);
    zones_.push_back({identity_.kernel, start, -1, -1, {}});
    boost::context::protected_fixedsize_stack allocator(kStackBytes);
    const boost::context::stack_context stack = allocator.allocate();
    kernel_stack_ = {static_cast<const char*>(stack.sp) - stack.size, stack.size};
    announce_stack(kernel_stack_);
    kernel_ = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                    allocator, [this](boost::context::fiber&& device) {
                                        confirm_switch(nullptr, &device_stack_);
                                        device_ = std::move(device);
                                        run_kernel();
                                        announce_switch(nullptr, device_stack_);
                                        return std::move(device_);
                                    });
    resume_at(start);
}

Processor::~Processor() { abandon(); }

void Processor::abandon() {
    if (!finished_ && !abandoned_) {
        abandoned_ = true;
        switch_to_kernel();
    }
}

void Processor::run_kernel() {
    try {
        if (!abandoned_) {
            entry_();
        }
        while (open_zone_ > 0) {
            close_zone();
        }
    } catch (const AbandonedKernel&) {
        open_zone_ = 0;  // device destroyed, kernel's stack unwound
    } catch (...) {
        failure_ = std::current_exception();
    }
    zones_.front().end = now_;
    finished_ = true;
}

void Processor::switch_to_kernel() {
    void* saved = nullptr;
    announce_switch(&saved, kernel_stack_);
    kernel_ = std::move(kernel_).resume();
    confirm_switch(saved, nullptr);
}

Processor* Processor::running() { return running_processor; }

void Processor::run() {
    Processor* const before = running_processor;
    running_processor = this;
    switch_to_kernel();
    running_processor = before;
    if (failure_) {
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
}

void Processor::suspend() {
    void* saved = nullptr;
    announce_switch(&saved, device_stack_);
    device_ = std::move(device_).resume();
    confirm_switch(saved, &device_stack_);
    if (abandoned_) {
        throw AbandonedKernel{};
    }
}

Event Processor::resumption(Tick tick) const {
    return {tick, identity_.index, EventKind::resume_processor, identity_.index, identity_.skew};
}

void Processor::resume_at(Tick tick) {
    now_ = tick;
    simulation_.events.push(resumption(tick));
}

void Processor::resume_instead_at(Tick tick) {
    if (tick != now_) {
        cancelled_.push_back(now_);
        resume_at(tick);
    }
}

bool Processor::has_cancelled(Tick tick) {
    const auto found = std::ranges::find(cancelled_, tick);
    if (found == cancelled_.end()) {
        return false;
    }
    cancelled_.erase(found);
    return true;
}

void Processor::spend(Tick ticks, Cause cause) {
    now_ += ticks;
    book(open_zone_, cause, ticks);
    check_runaway();
}

void Processor::advance_to(Tick tick) {
    if (tick > now_) {
        now_ = tick;
        check_runaway();
    }
}

void Processor::check_runaway() const {
    if (now_ - kUnseenTicksMax > simulation_.last_tick) {
        throw KernelError(fmt::format("{} still runs after {} cycles and waits for nothing", name(),
                                      cycle_containing(simulation_.last_tick)));
    }
}

void Processor::synchronize() {
    const Event resume = resumption(now_);
    if (resume.due() >= simulation_.window_end ||
        (!simulation_.events.empty() && simulation_.events.top().before(resume))) {
        resume_at(now_);
        suspend();
    } else {
        simulation_.position = resume;
    }
}

void Processor::open_zone(std::string name) {
    zones_.push_back({std::move(name), now_, -1, open_zone_, {}});
    open_zone_ = static_cast<std::int32_t>(zones_.size() - 1);
}

void Processor::close_zone() {
    Zone& zone = zones_[static_cast<std::size_t>(open_zone_)];
    zone.end = now_;
    open_zone_ = zone.parent;
}

void Processor::record(std::string name, std::uint64_t value) {
    timestamped_values_.push_back({std::move(name), value, now_});
}

void Processor::book(std::int32_t zone, Cause cause, Tick ticks) {
    book_stretch(zone, cause, booked_until_, booked_until_ + ticks);
    booked_until_ += ticks;
}

void Processor::book_deferred(const DeferredWait& wait, Cause cause) {
    book_stretch(wait.zone.zone, cause, wait.begin, wait.begin + wait.ticks);
}

void Processor::book_stretch(std::int32_t zone, Cause cause, Tick begin, Tick end) {
    if (simulation_.observers.booked) {
        simulation_.observers.booked({identity_.index, cause, begin, end});
    }
    for (; zone >= 0; zone = zones_[static_cast<std::size_t>(zone)].parent) {
        zones_[static_cast<std::size_t>(zone)].ledger.book(cause, end - begin);
    }
}

Processor::Identity Processor::Identity::outside(const std::string& kernel) {
    Identity identity;
    identity.node = kOutside;
    identity.processor = kOnlyProcessor;
    identity.kernel = kernel;
    return identity;
}

std::string Processor::Identity::name() const {
    if (is_outside()) {
        return fmt::format("kernel '{}' on the host", kernel);
    }
    const std::string place = fmt::format("kernel '{}' on core ({}, {})", kernel, core.x, core.y);
    return processor == kOnlyProcessor ? place : fmt::format("{} riscv_{}", place, processor);
}

const Zone& KernelResult::zone(const std::string& name) const {
    const auto found = std::ranges::find(zones, name, &Zone::name);
    if (found == zones.end()) {
        throw InputError(fmt::format("{}: no zone is called '{}'", identity.name(), name));
    }
    return *found;
}

}  // namespace nocbench
