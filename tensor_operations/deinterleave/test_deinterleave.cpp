// Reads of every second row: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/finished_point.h"

namespace nocbench::deinterleave {

namespace {

TEST(Deinterleave, TheSweepHasAllStepsOfBarriers) {
    const Sweep sweep = find_test("Deinterleave Multi Core").sweep_on("wormhole_b0", Tier::full);
    ASSERT_EQ(sweep.parameters.size(), 1U);
    EXPECT_EQ(sweep.parameters.front().values.size(), 17U);
    EXPECT_EQ(sweep.parameters.front().values.front(), "end");
    EXPECT_EQ(sweep.parameters.front().values.back(), "65535");
}

TEST(Deinterleave, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about("Deinterleave Single Core", {{"barrier_every", "0"}}),
              "parameter barrier_every: expected a whole number from 1 to 65535, found '0'");
    EXPECT_EQ(test::told_about("Deinterleave Single Core", {{"cores", "65"}}),
              "parameter cores: expected a whole number from 1 to 64, found '65'");
    EXPECT_EQ(test::told_about("Deinterleave Single Core", {}, {"wormhole_b0", 4, 8224}),
              "parameter call_size: expected a row of at most one packet of 8192 bytes, found 8224 bytes");
}

}  // namespace

}  // namespace nocbench::deinterleave
