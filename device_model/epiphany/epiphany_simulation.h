// Time and events of a running Epiphany machine, shared by its parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "device_model/sim/ids.h"
#include "device_model/sim/simulation.h"

namespace nocbench {

struct EpiphanySimulation : Simulation {
    /// Kind of event other than the resumption of a processor.
    enum class Action : std::uint32_t { serve_read, commit, dma_step, copy_arrived };

    Tick event_tick = 0;                  // of the event being handled
    std::function<bool(Tick)> is_enough;  // see EpiphanyDevice::stop_when()

    void push(Tick tick, NodeIndex node, Action action, std::uint32_t subject) {
        const auto kind = action == Action::commit ? EventKind::commit_write : EventKind::complete_transaction;
        events.push({tick, node, kind, static_cast<std::uint32_t>(action) << kActionShift | subject});
    }
    /// Moves the limit of the run for a core that sleeps from `begin` to `end`: a sleep takes no work. Only its first
    /// part counts, so that a loop that sleeps again and again still meets the limit.
    void allow_sleep(Tick begin, Tick end) {
        const Tick further = end - std::max(begin, slept_until_);
        slept_until_ = std::max(slept_until_, end);
        last_tick += std::clamp(further - kCountedSleepTicks, Tick{0}, kNever - last_tick);
    }
    /// Asks is_enough in some of the calls.
    bool is_to_stop(Tick now) {
        constexpr std::uint32_t kSteps = 4096;  // some milliseconds
        return is_enough && ++steps_ % kSteps == 0 && is_enough(now);
    }
    static Action action_of(const Event& event) { return static_cast<Action>(event.subject >> kActionShift); }
    static std::uint32_t subject_of(const Event& event) { return event.subject & ((1U << kActionShift) - 1); }

    /// The most that a sleep counts: 167 us at 600 MHz.
    static constexpr Tick kCountedSleepTicks = ticks_from_cycles(100'000);

private:
    Tick slept_until_ = 0;
    std::uint32_t steps_ = 0;
    static constexpr unsigned kActionShift = 28;  // the upper bits of Event::subject hold the action
};

}  // namespace nocbench
