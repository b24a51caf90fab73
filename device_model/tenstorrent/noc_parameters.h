// The networks that an architecture file describes, and the windows that they are simulated in.
#pragma once

#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/noc/network.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

/// How a chip is simulated window by window. In each window, events are handled first, those on each tile in order of
/// time, and then routers are stepped. The longer windows are, the less work it is; how long they can be follows from
/// the latencies between parts that are simulated one after the other. Routers against the direction of whose links
/// something gets sooner than within a window are stepped in the order that this needs, and some tiles skew behind so
/// that there is one: their events, and their routers on both NoCs. Events skew behind the routers of their tile, since
/// what routers do acts on the rest of the tile sooner than the other way round.
struct WindowSchedule {
    Cycle window_cycles = 0;
    std::vector<Cycle> skew_cycles;  // by node: of a tile behind those that have 0; empty: no tile skews
    Cycle event_skew_cycles = 0;     // events handled in a window are before the cycles of its routers by so many
    Cycle endpoint_skew_cycles = 0;  // what reaches a controller is known so many cycles after, or if negative before
};

/// With the longest windows that make no difference to when anything happens, of `most` cycles at most.
[[nodiscard]] WindowSchedule window_schedule(const Architecture& architecture, const Grid& grid,
                                             Cycle most = Network::kWindowCyclesMax);

/// The constants that all NoCs of a chip have in common; see NiuConstants for the rates of tiles.
[[nodiscard]] NetworkParameters noc_parameters(const Architecture& architecture, const WindowSchedule& schedule);

}  // namespace nocbench
