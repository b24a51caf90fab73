#include "device_model/tenstorrent/risc.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"

namespace nocbench {

Risc::Risc(DeviceState& state, Identity identity, std::function<void()> entry, Tick start)
    : Processor(state, std::move(identity), std::move(entry), start), state_(state) {}

Risc::~Risc() { abandon(); }

Risc& Risc::current() {
    auto* const risc = dynamic_cast<Risc*>(running());
    if (risc == nullptr) {
        throw InputError("a function of the kernel API was called outside of a kernel");
    }
    return *risc;
}

void Risc::wait_for_command_buffer(int noc, int buffer) {
    synchronize();
    Initiator& initiator = state_.interfaces[static_cast<std::size_t>(noc)]->initiator(identity().node);
    spend(state_.architecture.risc.register_load_ticks);
    if (initiator.buffer_is_busy(buffer, identity().processor)) {
        wait_ = {};
        wait_.command_buffer = buffer;
        wait_.since = now();
        initiator.wait_for_buffer(buffer, *this, now());
        suspend();
        wait_ = {};
        skip_booking();  // a deferred wait is booked later
    }
}

void Risc::wait_until(const WaitCondition& condition, Cause transit, Tick load, Tick period) {
    synchronize();
    if (condition.is_met()) {
        spend(load);
        return;
    }
    wait_ = {&condition, transit, now(), load, period, -1};
    suspend();
    end_wait();
}

Risc::Awakening Risc::sleep_until(const WaitCondition& condition, Cause cause, const Rounds& rounds) {
    wait_ = {&condition, cause, rounds.begin, 0, rounds.period, -1, true, rounds.last_sample, rounds.looks_at_both, 0};
    suspend();
    const Tick changed = wait_.changed;
    end_wait();
    skip_booking();  // booked up to now, or deferred
    return {now(), changed};
}

void Risc::end_wait() {
    if (wait_.transit == Cause::semaphore) {
        last_polling_ = {wait_.since, now(), wait_.period};
    }
    wait_ = {};
}

Tick Risc::l1_poll_period(Tick tick) const {
    if (wait_.transit == Cause::semaphore && wait_.since <= tick) {
        return wait_.period;
    }
    return last_polling_.begin <= tick && tick < last_polling_.end ? last_polling_.period : 0;
}

Tick Risc::look_again(Tick tick) {
    const Tick known_until = state_.window_end - identity().skew;
    wait_.changed = wait_.looks_at_both ? std::min(tick, known_until) : tick;
    return round_of(wait_.changed);
}

Tick Risc::round_of(Tick tick) const {
    const Tick later = tick - wait_.last_sample - wait_.period;
    return later <= 0 ? wait_.since : wait_.since + (later + wait_.period - 1) / wait_.period * wait_.period;
}

Tick Risc::command_buffer_freed(Tick tick) {
    if (!wait_.sleeps) {
        return std::max(wait_.since, tick + state_.architecture.risc.register_return_ticks);
    }
    wait_.condition = nullptr;
    return look_again(tick);
}

void Risc::notify(Tick tick, const TransactionTimes* transaction) {
    if (wait_.condition == nullptr || !wait_.condition->is_met()) {
        return;
    }
    if (wait_.sleeps) {
        // A RISC simulated later in the same cycle sees the change in that cycle; an earlier one, in the next.
        const bool comes_later =
            transaction == nullptr && std::ranges::any_of(state_.riscs_of_node(identity().node), [&](int other) {
                return other > static_cast<int>(identity().index);
            });
        const Tick resumed = look_again(comes_later ? tick + 1 : tick);
        if (transaction != nullptr && wait_.transit == Cause::round_trip) {
            state_.book_wait(zone(), *transaction, booked_until(), resumed, wait_.transit);
        } else {
            book(open_zone_index(), wait_.transit, resumed - booked_until());
        }
        wait_.condition = nullptr;
        resume_at(resumed);
        return;
    }
    // First poll that sees the change: a loaded value leaves its register some time before the load returns.
    const Tick seen = wait_.load - state_.architecture.risc.register_return_ticks;
    const Tick poll =
        wait_.period > 0 ? next_of_period(wait_.since, wait_.period, tick - seen) : std::max(wait_.since, tick - seen);
    const Tick resumed = poll + wait_.load;
    if (poll == wait_.since) {
        book(open_zone_index(), Cause::issue, wait_.load);  // seen at once: no wait
    } else if (transaction != nullptr && wait_.transit != Cause::semaphore) {
        state_.book_wait(zone(), *transaction, wait_.since, resumed, wait_.transit);
    } else {
        book(open_zone_index(), wait_.transit, resumed - wait_.since);
    }
    wait_.condition = nullptr;
    resume_at(resumed);
}

std::string Risc::waiting_description() const {
    const auto since = cycles_from_ticks(wait_.since);
    if (wait_.condition != nullptr) {
        return fmt::format("{} waits since cycle {:.0f} in {}", name(), since, wait_.condition->description());
    }
    if (wait_.command_buffer >= 0) {
        return fmt::format("{} waits since cycle {:.0f} for command buffer {} of its NIU", name(), since,
                           wait_.command_buffer);
    }
    return fmt::format("{} has not finished{}", name(),
                       program_.where ? fmt::format("; it is at {}", program_.where(program_counter())) : "");
}

}  // namespace nocbench
