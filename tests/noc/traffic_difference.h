// What two runs of the same traffic do differently, said so that a person can go on from there.
#pragma once

#include <functional>
#include <string>

#include "tests/noc/traffic.h"

namespace nocbench::test {

/// The earliest event of a packet that is not the same in both, or what else is different; empty if nothing is.
std::string first_difference(const TrafficPlan& plan, const TrafficOutcome& expected, const TrafficOutcome& found);

/// The plan with as few packets as it keeps its `property` with, as far as leaving some out leads.
TrafficPlan smallest_plan(TrafficPlan plan, const std::function<bool(const TrafficPlan&)>& property);

/// All of a plan, except for the tiles' rates.
std::string description(const TrafficPlan& plan);

}  // namespace nocbench::test
