#include "device_model/sim/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/sim/error.h"
#include "device_model/sim/set_up_only.h"
#include "device_model/sim/simulation.h"

namespace nocbench {

FloorPlan floor_plan_of_mesh(int columns, int rows) {
    FloorPlan plan;
    plan.columns = columns;
    plan.rows = rows;
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            plan.tiles.push_back({{.x = x, .y = y}, "node", LogicalCoordinate{.x = x, .y = y}});
        }
    }
    plan.networks = {{"mesh", {Direction::east, Direction::west, Direction::south, Direction::north}, false, 1}};
    return plan;
}

Observers& Machine::observers() { return simulation().observers; }

void Machine::run(Cycle cycles_max) {
    try {
        run_to_end(cycles_max);
    } catch (const KernelError&) {
        if (observers().failed) {
            observers().failed(*this);
        }
        throw;
    }
    if (observers().ended) {
        observers().ended(*this);
    }
}

void Machine::run_to_end(Cycle cycles_max) {
    SetUpOnlyScope::end_set_up();
    Simulation& simulation = this->simulation();
    simulation.last_tick = ticks_from_cycles(cycles_max);
    for (Tick begin = next_step(); begin != kNever; begin = next_step()) {
        if (begin > simulation.last_tick) {
            throw KernelError(
                fmt::format("the program still runs after {} cycles, the limit of modeled time (cycles_max){}",
                            cycles_max, unfinished()));
        }
        step(begin);
    }
    if (!std::ranges::all_of(simulation.processors, &Processor::is_finished)) {
        throw KernelError(fmt::format("deadlock: nothing moves any more after cycle {}{}{}", simulated_cycles(),
                                      unfinished(), further_waits()));
    }
    for (const Processor* processor : simulation.processors) {
        extend_to(cycle_at_or_after(processor->now()));
    }
}

std::vector<KernelResult> Machine::kernel_results() const {
    std::vector<KernelResult> results;
    results.reserve(simulation().processors.size());
    for (const Processor* processor : simulation().processors) {
        results.push_back({processor->identity(), processor->zones(), processor->timestamped_values()});
    }
    return results;
}

std::string Machine::unfinished() const {
    std::string lines;
    for (const Processor* processor : simulation().processors) {
        if (!processor->is_finished()) {
            lines += "\n  " + processor->waiting_description();
        }
    }
    return lines;
}

}  // namespace nocbench
