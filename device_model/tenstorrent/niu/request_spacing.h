// Least spacing of requests that a NIU handles one after the other.
#pragma once

#include <algorithm>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

class RequestSpacing {
public:
    explicit RequestSpacing(Tick interval) : interval_(interval) {}

    /// Returns the cycle in which a request that arrived at `arrival` is handled.
    Cycle pass_on(Cycle arrival) {
        const Tick passed_on = std::max(ticks_from_cycles(arrival), next_);
        next_ = passed_on + interval_;
        return cycle_at_or_after(passed_on);
    }

private:
    Tick interval_;
    Tick next_ = 0;
};

}  // namespace nocbench
