// State common to all running machines: time, events, processors and observers.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/sim/event_queue.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class Processor;

struct Simulation {
    Event position;              // all events before it have been handled, of machines that set it
    Tick window_end = 0;         // exclusive end of the current block of simulation
    Tick last_tick = INT64_MAX;  // limit of kernels' time
    EventQueue events;
    std::vector<Processor*> processors;  // by Processor::Identity::index; processors add themselves
    Observers observers;
};

}  // namespace nocbench
