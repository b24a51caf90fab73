// Simulated time in integer ticks: rates such as 1.0205 cycles per flit are exact and do not drift.
#pragma once

#include <cstdint>

namespace nocbench {

/// Simulated time or duration in ticks, kTicksPerCycle to a cycle of the tile clock.
using Tick = std::int64_t;

/// Simulated time or duration in whole cycles of the tile clock. Routers act on whole cycles.
using Cycle = std::int64_t;

/// Time later than any cycle or tick.
inline constexpr std::int64_t kNever = INT64_MAX;

/// Ticks per cycle: four decimals of a cycle are enough for all published or fitted rates.
inline constexpr Tick kTicksPerCycle = 10'000;

constexpr Tick ticks_from_cycles(Cycle cycles) { return cycles * kTicksPerCycle; }

constexpr Cycle cycle_containing(Tick tick) { return tick / kTicksPerCycle; }

/// Converts a duration to cycles, with decimals.
constexpr double cycles_from_ticks(Tick ticks) {
    return static_cast<double>(ticks) / static_cast<double>(kTicksPerCycle);
}

/// Returns the first of `since`, `since + period`, ... at `tick` or later.
constexpr Tick next_of_period(Tick since, Tick period, Tick tick) {
    const Tick late = tick > since ? tick - since : 0;
    return since + (late + period - 1) / period * period;
}

/// Returns the first cycle that begins at or after `tick`.
constexpr Cycle cycle_at_or_after(Tick tick) { return (tick + kTicksPerCycle - 1) / kTicksPerCycle; }

}  // namespace nocbench
