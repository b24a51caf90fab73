#include "device_model/epiphany/cores/interrupts.h"

#include <utility>

#include "device_model/epiphany/epiphany_guest.h"
#include "device_model/epiphany/epiphany_state.h"

namespace nocbench {

void EpiphanyInterrupts::set_handler(const EpiphanyCore& core, std::function<void()> handler) {
    nodes_[core.identity().node].handler = std::move(handler);
}

bool EpiphanyInterrupts::has_handler(const EpiphanyCore& core) const {
    return static_cast<bool>(nodes_[core.identity().node].handler);
}

bool EpiphanyInterrupts::is_due(const EpiphanyCore& core) const {
    const Node& node = nodes_[core.identity().node];
    return node.is_pending && node.handler && !node.is_in_handler;
}

void EpiphanyInterrupts::take(EpiphanyCore& core) {
    Node& node = nodes_[core.identity().node];
    while (is_due(core)) {
        node.is_pending = false;
        node.is_in_handler = true;
        core.spend(constants_.interrupt_ticks);
        node.handler();
        node.is_in_handler = false;
    }
}

void EpiphanyInterrupts::request(NodeIndex node, Tick tick) {
    Node& state = nodes_[node];
    state.is_pending = true;
    if (std::exchange(state.is_idle, false)) {
        cores_.at(node).release(tick);
        return;
    }
    if (!state.handler || state.is_in_handler) {
        return;
    }
    if (state.stalls) {
        state.was_interrupted = true;
        go_on(node, tick);
    } else if (std::exchange(state.computes, false)) {
        cores_.at(node).resume_instead_at(tick);
    } else if (EpiphanyGuest* const guest = memory_.guest(node)) {
        guest->interrupt(tick);
    }
}

void EpiphanyInterrupts::idle(EpiphanyCore& core, std::string_view call) {
    core.synchronize();
    Node& node = nodes_[core.identity().node];
    if (!node.is_pending) {
        node.is_idle = true;
        core.stall({call, "an interrupt", 0}, Cause::semaphore);
    }
    node.is_pending = false;
    core.spend(constants_.interrupt_ticks);
}

void EpiphanyInterrupts::compute(EpiphanyCore& core, Tick ticks) {
    const Node& node = nodes_[core.identity().node];
    if (!node.handler || node.is_in_handler) {
        core.spend(ticks);
    } else {
        pass(core, ticks);
    }
}

void EpiphanyInterrupts::pass(EpiphanyCore& core, Tick ticks) {
    Node& node = nodes_[core.identity().node];
    for (Tick left = ticks; left > 0 && !node.was_woken;) {
        take(core);
        const Tick begin = core.now();
        core.advance_to(begin + left);
        node.computes = true;
        core.synchronize();
        node.computes = false;
        core.book_until_now(Cause::issue);
        left -= core.now() - begin;
    }
}

bool EpiphanyInterrupts::sleep(EpiphanyCore& core, Tick ticks) {
    Node& node = nodes_[core.identity().node];
    core.state().allow_sleep(core.now(), core.now() + ticks);
    node.sleeps = true;
    pass(core, ticks);
    node.sleeps = false;
    return !std::exchange(node.was_woken, false);
}

void EpiphanyInterrupts::skip_polls(EpiphanyCore& core, const Stall& stall, Tick period) {
    Node& node = nodes_[core.identity().node];
    node.polls_since = core.now();
    node.poll_period = period;
    while (!node.was_woken && !this->stall(core, stall)) {
        take(core);
    }
    node.poll_period = 0;
    node.was_woken = false;
}

void EpiphanyInterrupts::wake(NodeIndex node, Tick tick) {
    Node& state = nodes_[node];
    if (!state.sleeps && state.poll_period == 0) {
        return;
    }
    state.was_woken = true;
    if (std::exchange(state.computes, false)) {
        cores_.at(node).resume_instead_at(tick);
    } else if (state.poll_period != 0 && state.stalls) {
        go_on(node, next_of_period(state.polls_since, state.poll_period, tick));
    }
}

bool EpiphanyInterrupts::stall(EpiphanyCore& core, const Stall& stall) {
    if (is_due(core)) {
        return false;
    }
    Node& node = nodes_[core.identity().node];
    node.stalls = true;
    core.stall(stall, Cause::semaphore);
    return !std::exchange(node.was_interrupted, false);
}

void EpiphanyInterrupts::go_on(NodeIndex node, Tick tick) {
    nodes_[node].stalls = false;
    cores_.at(node).release(tick);
}

}  // namespace nocbench
