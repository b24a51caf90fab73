// Ticks and cycles: rounding up, and periods.
#include <gtest/gtest.h>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

namespace {

TEST(SimulatedTime, CyclesBeginAtTheirFirstTick) {
    for (const Cycle cycle : {0, 1, 7, 1'000'000}) {
        const Tick begin = ticks_from_cycles(cycle);
        EXPECT_EQ(cycle_containing(begin), cycle);
        EXPECT_EQ(cycle_containing(begin + kTicksPerCycle - 1), cycle);
        EXPECT_EQ(cycle_at_or_after(begin), cycle);
        EXPECT_EQ(cycle_at_or_after(begin + 1), cycle + 1);
        EXPECT_EQ(cycle_at_or_after(begin + kTicksPerCycle), cycle + 1);
    }
}

TEST(SimulatedTime, APeriodComesAgainAtATickOrLater) {
    EXPECT_EQ(next_of_period(100, 8, 0), 100) << "not before it begins";
    EXPECT_EQ(next_of_period(100, 8, 100), 100);
    EXPECT_EQ(next_of_period(100, 8, 101), 108);
    EXPECT_EQ(next_of_period(100, 8, 107), 108);
    EXPECT_EQ(next_of_period(100, 8, 108), 108);
    EXPECT_EQ(next_of_period(100, 8, 109), 116);
}

}  // namespace

}  // namespace nocbench
