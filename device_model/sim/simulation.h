// What every kind of device has while it runs: time, what is to happen, and who watches.
#pragma once

#include <cstdint>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/event_queue.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// After so many cycles a run is given up, unless another limit is asked for.
inline constexpr Cycle kDefaultCyclesMax = 2'000'000'000;

/// Data of reads and writes that entered the memory of one tile.
struct TileDeliveries {
    PhysicalCoordinate tile;
    std::uint64_t bytes = 0;
};

struct Simulation {
    Tick window_end = 0;         // events that are due before are handled in the block that is being simulated
    Tick last_tick = INT64_MAX;  // no kernel may run longer
    EventQueue events;
    Observers observers;
};

}  // namespace nocbench
