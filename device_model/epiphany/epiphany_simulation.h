// Time and events of a running Epiphany machine, shared by its parts.
#pragma once

#include <cstdint>

#include "device_model/sim/ids.h"
#include "device_model/sim/simulation.h"

namespace nocbench {

struct EpiphanySimulation : Simulation {
    /// Kind of event other than the resumption of a processor.
    enum class Action : std::uint32_t { serve_read, commit, dma_step };

    Tick event_tick = 0;  // of the event being handled

    void push(Tick tick, NodeIndex node, Action action, std::uint32_t subject) {
        const auto kind = action == Action::commit ? EventKind::commit_write : EventKind::complete_transaction;
        events.push({tick, node, kind, static_cast<std::uint32_t>(action) << kActionShift | subject});
    }
    static Action action_of(const Event& event) { return static_cast<Action>(event.subject >> kActionShift); }
    static std::uint32_t subject_of(const Event& event) { return event.subject & ((1U << kActionShift) - 1); }

private:
    static constexpr unsigned kActionShift = 28;  // the upper bits of Event::subject hold the action
};

}  // namespace nocbench
