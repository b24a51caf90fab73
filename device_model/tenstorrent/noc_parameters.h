// Networks of an architecture file, and their simulation schedule.
#pragma once

#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/machine.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

/// Schedule of the window-by-window simulation of a chip. Each window handles events first, on each tile in time order,
/// and then steps routers. Longer windows cost less; latencies between parts simulated in turn limit them. Where
/// something travels against the direction of links in less than a window, routers are stepped in an order that
/// respects it. Some tiles (their events, and their routers on both NoCs) are skewed to later times so that such an
/// order exists. Events are skewed behind the routers of their tile: routers act on the tile sooner than the tile acts
/// on routers.
struct WindowSchedule {
    Cycle window_cycles = 0;
    std::vector<Cycle> skew_cycles;  // by node: lag of a tile behind those with 0; empty: no skew
    Cycle event_skew_cycles = 0;     // lag of the events of a window behind its routers
    Cycle endpoint_skew_cycles = 0;  // delay until arrivals at a controller are known; negative: ahead
};

/// Returns the schedule with the longest windows, of `most` cycles at most, that leave all timing unchanged.
[[nodiscard]] WindowSchedule window_schedule(const TorusArchitecture& architecture, const TorusBoard& board,
                                             const Grid& grid, Cycle most = Network::kWindowCyclesMax);

/// Returns the wiring of a NoC, with datelines.
[[nodiscard]] Topology noc_topology(const Grid& grid, int noc);

/// Output port to another router, and the direction of its link on the floor plan.
struct NocLink {
    int port = 0;
    Direction direction = Direction::east;
};

/// Returns the links of each router of a NoC.
[[nodiscard]] std::vector<NocLink> noc_links(const Grid& grid, int noc);

/// Returns the constants common to all NoCs of a chip. NiuConstants has the rates of tiles.
[[nodiscard]] NetworkParameters noc_parameters(const TorusArchitecture& architecture, const WindowSchedule& schedule);

}  // namespace nocbench
