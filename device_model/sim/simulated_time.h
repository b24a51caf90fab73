// Simulated time: integer ticks, so that rates such as 1.0205 cycles per flit are exact and never drift.
#pragma once

#include <cstdint>

namespace nocbench {

/// A point in simulated time or a duration, in ticks. There are kTicksPerCycle ticks in a cycle of the tile clock.
using Tick = std::int64_t;

/// A point in simulated time or a duration, in whole cycles of the tile clock. Routers act on whole cycles.
using Cycle = std::int64_t;

/// Later than any cycle or tick that comes.
inline constexpr std::int64_t kNever = INT64_MAX;

/// Four decimal digits of a cycle: enough for every rate that has been published or fitted.
inline constexpr Tick kTicksPerCycle = 10'000;

constexpr Tick ticks_from_cycles(Cycle cycles) { return cycles * kTicksPerCycle; }

/// The cycle that contains `tick`.
constexpr Cycle cycle_containing(Tick tick) { return tick / kTicksPerCycle; }

/// A duration in cycles, with decimals.
constexpr double cycles_from_ticks(Tick ticks) {
    return static_cast<double>(ticks) / static_cast<double>(kTicksPerCycle);
}

/// The first of `since`, `since + period`, ... that is at `tick` or later.
constexpr Tick next_of_period(Tick since, Tick period, Tick tick) {
    const Tick late = tick > since ? tick - since : 0;
    return since + (late + period - 1) / period * period;
}

/// The first cycle that begins at or after `tick`.
constexpr Cycle cycle_at_or_after(Tick tick) { return (tick + kTicksPerCycle - 1) / kTicksPerCycle; }

}  // namespace nocbench
