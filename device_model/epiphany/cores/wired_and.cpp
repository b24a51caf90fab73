#include "device_model/epiphany/cores/wired_and.h"

#include <algorithm>

namespace nocbench {

void WiredAnd::wait(EpiphanyCore& core, std::string_view call) {
    core.synchronize();
    const NodeIndex node = core.identity().node;
    is_set_[node] = true;
    if (std::ranges::all_of(cores_.all(), [&](const EpiphanyCore* other) { return is_set_[other->identity().node]; })) {
        is_set_[node] = false;
        release(core);
        core.spend(constants_.wired_and_ticks, Cause::semaphore);
        return;
    }
    do {
        if (interrupts_.stall(core, {call, "all other cores to reach the barrier", 0})) {
            return;
        }
        interrupts_.take(core);
        core.synchronize();
    } while (is_set_[node]);
}

void WiredAnd::release(EpiphanyCore& core) {
    core.synchronize();
    for (const EpiphanyCore* const other : cores_.all()) {
        const NodeIndex node = other->identity().node;
        // A core in an interrupt handler checks the barrier afterwards.
        if (is_set_[node] && interrupts_.stalls(node)) {
            interrupts_.go_on(node, core.now() + constants_.wired_and_ticks);
        }
        is_set_[node] = false;
    }
}

}  // namespace nocbench
