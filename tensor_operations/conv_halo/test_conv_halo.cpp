// Gathering of image windows: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/finished_point.h"

namespace nocbench::conv_halo {

namespace {

TEST(ConvHalo, SweepsAreThoseOfUpstream) {
    const Sweep sweep = find_test("Conv Halo 3x3").sweep_on("blackhole", Tier::full);
    EXPECT_EQ(sweep.num_transactions, std::vector<std::int64_t>{9216});
    EXPECT_EQ(sweep.call_size_bytes, std::vector<std::int64_t>{192});
}

TEST(ConvHalo, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about("Conv Halo Gather", {{"pixel_bytes", "24"}}),
              "parameter pixel_bytes: expected a multiple of 16 bytes, found 24");
    EXPECT_EQ(test::told_about("Conv Halo Gather", {{"halo_percent", "101"}}),
              "parameter halo_percent: expected a whole number from 0 to 100, found '101'");
    EXPECT_EQ(test::told_about("Conv Halo Gather", {{"pixel_bytes", "64"}}, {"wormhole_b0", 1500, 64}),
              "parameter num_transactions: expected a multiple of the 1024 different rows, found 1500");
}

}  // namespace

}  // namespace nocbench::conv_halo
