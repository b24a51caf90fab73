// Differences between two runs of one plan, in a form that helps a developer.
#pragma once

#include <functional>
#include <string>

#include "tests/noc/traffic.h"

namespace nocbench::test {

/// Returns the earliest event of a packet that differs, or else another difference; empty if there is none.
std::string first_difference(const TrafficPlan& plan, const TrafficOutcome& expected, const TrafficOutcome& found);

/// Removes packets while the plan keeps its `property`, and returns the smallest plan found.
TrafficPlan smallest_plan(TrafficPlan plan, const std::function<bool(const TrafficPlan&)>& property);

/// Describes the whole plan, except for the tiles' rates.
std::string description(const TrafficPlan& plan);

}  // namespace nocbench::test
