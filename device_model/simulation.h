// What every kind of device has while it runs: time, what is to happen, and who watches.
#pragma once

#include <cstdint>

#include "device_model/event_queue.h"
#include "device_model/observers.h"
#include "device_model/simulated_time.h"

namespace nocbench {

struct Simulation {
    Tick window_end = 0;         // events that are due before are handled in the block that is being simulated
    Tick last_tick = INT64_MAX;  // no kernel may run longer
    EventQueue events;
    Observers observers;
};

}  // namespace nocbench
