// What every kind of machine has while it runs: time, what is to happen, and who watches.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/sim/event_queue.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class Processor;

struct Simulation {
    Tick window_end = 0;         // events that are due before are handled in the block that is being simulated
    Tick last_tick = INT64_MAX;  // no kernel may run longer
    EventQueue events;
    std::vector<Processor*> processors;  // all of them, by Processor::Identity::index; each adds itself
    Observers observers;
};

}  // namespace nocbench
