// Search for the saturation of a network.
#pragma once

#include "synthetic/network_plan.h"
#include "synthetic/open_loop.h"

namespace nocbench::synthetic {

/// Usual criterion of saturation: a mean latency of more than this multiple of the latency without contention.
inline constexpr double kSaturationFactor = 3;

/// Relative distance between the found load and the lowest load known to be too high. Another seed, with a measured
/// phase of usual length, also changes the found load by about a percent.
inline constexpr double kSaturationPrecision = 0.01;

[[nodiscard]] bool is_saturated(const Outcome& outcome);

/// Load and its outcome.
struct Saturation {
    double flits_per_source_and_cycle = 0;
    Outcome outcome;
};

/// Finds the highest load below saturation by bisection, from 0 to a flit per cycle; ignores the rate of `load`.
Saturation find_saturation(const NetworkPlan& network, Load load);

}  // namespace nocbench::synthetic
