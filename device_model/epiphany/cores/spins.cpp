#include "device_model/epiphany/cores/spins.h"

#include <fmt/format.h>

#include "device_model/sim/error.h"

namespace nocbench {

std::uint32_t EpiphanySpins::spin(EpiphanyCore& core, std::string_view call, std::uint64_t address, Tick period,
                                  const std::function<bool(std::uint32_t)>& is_met, std::string_view waiting_for) {
    const NodeIndex node = core.identity().node;
    const EpiphanyPlace place = addresses_.place_of(node, address, sizeof(std::uint32_t), call);
    if (!place.is_of(node)) {
        throw KernelError(fmt::format("{}: expected an address in the core's own memory, found 0x{:08x}",
                                      cores_.caller(node, call), address));
    }
    interrupts_.take(core);
    core.synchronize();
    while (!is_met(word(place))) {
        loops_[node] = {&is_met, place, core.now(), period};
        const bool is_over = interrupts_.stall(core, {call, waiting_for, address});
        loops_[node].is_met = nullptr;
        if (is_over) {
            break;  // met at the write, even if not any more
        }
        interrupts_.take(core);
        core.synchronize();
    }
    core.spend(constants_.load_ticks + constants_.local_load_use_ticks);
    return word(place);
}

bool EpiphanySpins::watches(const EpiphanyPlace& place, std::size_t bytes) const {
    const Loop& loop = loops_[place.node];
    return loop.is_met != nullptr && loop.place.offset < place.offset + bytes &&
           place.offset < loop.place.offset + sizeof(std::uint32_t);
}

void EpiphanySpins::notify(NodeIndex node, Tick tick) {
    const Loop& loop = loops_[node];
    if (loop.is_met != nullptr && interrupts_.stalls(node) && (*loop.is_met)(word(loop.place))) {
        interrupts_.go_on(node, next_of_period(loop.since, loop.period, tick));
    }
}

}  // namespace nocbench
