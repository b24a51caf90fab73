#include "synthetic/saturation.h"

#include <utility>

namespace nocbench::synthetic {

bool is_saturated(const Outcome& outcome) {
    return outcome.gave_up || outcome.mean_latency_cycles > kSaturationFactor * outcome.mean_unhindered_cycles;
}

Saturation find_saturation(const NetworkPlan& network, Load load) {
    constexpr int kStepsMax = 20;  // limit for networks that saturate at every load
    load.latency_factor_max = kSaturationFactor;
    Saturation highest;
    double lowest_saturated = 1;
    for (int step = 0;
         step < kStepsMax && lowest_saturated > (1 + kSaturationPrecision) * highest.flits_per_source_and_cycle;
         ++step) {
        load.flits_per_source_and_cycle = (highest.flits_per_source_and_cycle + lowest_saturated) / 2;
        Outcome outcome = run_open_loop(network, load);
        if (is_saturated(outcome)) {
            lowest_saturated = load.flits_per_source_and_cycle;
        } else {
            highest = {load.flits_per_source_and_cycle, std::move(outcome)};
        }
    }
    return highest;
}

}  // namespace nocbench::synthetic
