// How much a network can take.
#pragma once

#include "synthetic/network_plan.h"
#include "synthetic/open_loop.h"

namespace nocbench::synthetic {

/// The usual measure: the highest load with a mean latency of at most so many times that of packets with nothing in
/// their way.
inline constexpr double kSaturationFactor = 3;

/// How near the load that is found is to the lowest that is known to be too high, relatively. With another seed, a
/// measured phase of usual length gives another percent, too.
inline constexpr double kSaturationPrecision = 0.01;

[[nodiscard]] bool is_saturated(const Outcome& outcome);

/// A load and what it led to.
struct Saturation {
    double flits_per_source_and_cycle = 0;
    Outcome outcome;
};

/// Finds the highest load by bisection, from 0 to a flit per cycle; the rate of `load` is left aside.
Saturation find_saturation(const NetworkPlan& network, Load load);

}  // namespace nocbench::synthetic
