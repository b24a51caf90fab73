#include "device_model/risc.h"

#include <fmt/format.h>

#include <boost/context/protected_fixedsize_stack.hpp>

#include "device_model/error.h"
#include "device_model/network_interface.h"

namespace nocbench {

namespace {

// A kernel that does not look at anything is ahead of the device, but not by more than this unless it never comes back.
constexpr Tick kUnseenTicksMax = ticks_from_cycles(1'000'000);

constexpr std::size_t kStackBytes = 256 * 1024;

// One simulation runs on one thread, and one kernel at a time in it.
thread_local Risc* running_risc = nullptr;

/// Thrown where a kernel waits, when its device is destroyed.
class AbandonedKernel : public std::exception {};

}  // namespace

Risc::Risc(DeviceState& state, Identity identity, std::function<void()> entry, Tick start)
    : state_(state), identity_(std::move(identity)), entry_(std::move(entry)), now_(start), booked_until_(start) {
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

Risc::~Risc() {
    if (!finished_) {
        abandoned_ = true;
        switch_to_kernel();
    }
}

void Risc::run_kernel() {
    try {
        if (!abandoned_) {
            entry_();
        }
        while (open_zone_ > 0) {
            close_zone();
        }
    } catch (const AbandonedKernel&) {
        open_zone_ = 0;  // the device is gone, and the kernel's stack has been unwound
    } catch (...) {
        failure_ = std::current_exception();
    }
    zones_.front().end = now_;
    finished_ = true;
}

void Risc::switch_to_kernel() {
    void* saved = nullptr;
    announce_switch(&saved, kernel_stack_);
    kernel_ = std::move(kernel_).resume();
    confirm_switch(saved, nullptr);
}

Risc& Risc::current() {
    if (running_risc == nullptr) {
        throw InputError("a function of the kernel API was called outside of a kernel");
    }
    return *running_risc;
}

void Risc::run() {
    Risc* const before = running_risc;
    running_risc = this;
    switch_to_kernel();
    running_risc = before;
    if (failure_) {
        std::rethrow_exception(std::exchange(failure_, nullptr));
    }
}

void Risc::suspend() {
    void* saved = nullptr;
    announce_switch(&saved, device_stack_);
    device_ = std::move(device_).resume();
    confirm_switch(saved, &device_stack_);
    if (abandoned_) {
        throw AbandonedKernel{};
    }
}

void Risc::resume_at(Tick tick) {
    now_ = tick;
    state_.events.push({tick, identity_.index, EventKind::resume_risc, identity_.index});
}

void Risc::spend(Tick ticks, Cause cause) {
    now_ += ticks;
    book(open_zone_, cause, ticks);
    if (now_ - kUnseenTicksMax > state_.last_tick) {
        throw KernelError(fmt::format("{} still runs after {} cycles and waits for nothing", name(),
                                      cycle_containing(state_.last_tick)));
    }
}

void Risc::synchronize() {
    const Event resume{now_, identity_.index, EventKind::resume_risc, identity_.index};
    if (now_ >= state_.window_end || (!state_.events.empty() && state_.events.top().before(resume))) {
        resume_at(now_);
        suspend();
    }
}

void Risc::wait_for_command_buffer(int noc, int buffer) {
    synchronize();
    NetworkInterfaces& interfaces = *state_.interfaces[static_cast<std::size_t>(noc)];
    spend(state_.architecture.risc.register_load_ticks);
    if (interfaces.command_buffer_is_busy(identity_.node, buffer)) {
        wait_ = {};
        wait_.command_buffer = buffer;
        wait_.since = now_;
        interfaces.wait_for_command_buffer(identity_.node, buffer, identity_.index, now_);
        suspend();
        wait_ = {};
        booked_until_ = now_;  // if the wait was deferred, it is still to be booked
    }
}

void Risc::wait_until(const WaitCondition& condition, Cause transit, Tick load, Tick period) {
    synchronize();
    if (condition.is_met()) {
        spend(load);
        return;
    }
    wait_ = {&condition, transit, now_, load, period, -1};
    suspend();
    wait_ = {};
}

void Risc::notify(Tick tick, const TransactionTimes* transaction) {
    if (wait_.condition == nullptr || !wait_.condition->is_met()) {
        return;
    }
    // The first poll that still sees the change: what a load returns left its register a while before.
    const Tick seen = wait_.load - state_.architecture.risc.register_return_ticks;
    const Tick late = std::max<Tick>(0, tick - wait_.since - seen);
    const Tick polls = wait_.period > 0 ? (late + wait_.period - 1) / wait_.period * wait_.period : late;
    const Tick resumed = wait_.since + polls + wait_.load;
    if (transaction != nullptr && wait_.transit != Cause::semaphore) {
        state_.book_wait(zone(), *transaction, wait_.since, resumed, wait_.transit);
    } else {
        book(open_zone_, wait_.transit, resumed - wait_.since);
    }
    wait_.condition = nullptr;
    resume_at(resumed);
}

void Risc::open_zone(std::string name) {
    zones_.push_back({std::move(name), now_, -1, open_zone_, {}});
    open_zone_ = static_cast<std::int32_t>(zones_.size() - 1);
}

void Risc::close_zone() {
    Zone& zone = zones_[static_cast<std::size_t>(open_zone_)];
    zone.end = now_;
    open_zone_ = zone.parent;
}

void Risc::record(std::string name, std::uint64_t value) {
    timestamped_values_.push_back({std::move(name), value, now_});
}

void Risc::book(std::int32_t zone, Cause cause, Tick ticks) {
    book_stretch(zone, cause, booked_until_, booked_until_ + ticks);
    booked_until_ += ticks;
}

void Risc::book_deferred(const DeferredWait& wait, Cause cause) {
    book_stretch(wait.zone.zone, cause, wait.begin, wait.begin + wait.ticks);
}

void Risc::book_stretch(std::int32_t zone, Cause cause, Tick begin, Tick end) {
    if (state_.observers.booked) {
        state_.observers.booked({identity_.index, cause, begin, end});
    }
    for (; zone >= 0; zone = zones_[static_cast<std::size_t>(zone)].parent) {
        zones_[static_cast<std::size_t>(zone)].ledger.book(cause, end - begin);
    }
}

std::string Risc::waiting_description() const {
    const auto since = static_cast<double>(wait_.since) / static_cast<double>(kTicksPerCycle);
    if (wait_.condition != nullptr) {
        return fmt::format("{} waits since cycle {:.0f} in {}", name(), since, wait_.condition->description());
    }
    if (wait_.command_buffer >= 0) {
        return fmt::format("{} waits since cycle {:.0f} for command buffer {} of its NIU", name(), since,
                           wait_.command_buffer);
    }
    return fmt::format("{} has not finished", name());
}

std::string Risc::name() const {
    return fmt::format("kernel '{}' on core ({}, {}) riscv_{}", identity_.kernel, identity_.core.x, identity_.core.y,
                       identity_.processor);
}

}  // namespace nocbench
