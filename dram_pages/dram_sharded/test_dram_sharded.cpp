// Reads of DRAM banks by one core: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/finished_point.h"

namespace nocbench::dram_sharded {

namespace {

const std::string kTest = "DRAM Sharded Read Bank Numbers 2.0";

TEST(DramSharded, TheSweepHasEveryNumberOfBanks) {
    const Sweep sweep = find_test(kTest).sweep_on("wormhole_b0", Tier::full);
    ASSERT_EQ(sweep.parameters.size(), 1U);
    EXPECT_EQ(sweep.parameters.front().name, "banks");
    EXPECT_EQ(sweep.parameters.front().values.size(), 12U);
    EXPECT_EQ(sweep.parameters.front().values.front(), "1");
    EXPECT_EQ(sweep.parameters.front().values.back(), "12");
}

TEST(DramSharded, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about(kTest, {{"banks", "13"}}),
              "parameter banks: expected a whole number from 1 to 12, found '13'");
    EXPECT_EQ(test::told_about(kTest, {{"tiles", "0"}}),
              "parameter tiles: expected a whole number from 1 to 512, found '0'");
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 1, 8224}),
              "parameter call_size: expected a tile of a multiple of 32 bytes and at most one packet of 8192 bytes, "
              "found 8224 bytes");
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 1, 100}),
              "parameter call_size: expected a tile of a multiple of 32 bytes and at most one packet of 8192 bytes, "
              "found 100 bytes");
    EXPECT_EQ(test::told_about(kTest, {{"tiles", "100"}}, {"wormhole_b0", 1, 2048}),
              "parameter call_size: 2048 bytes at 0x297800 do not fit into L1, which ends at 0x16e000");
}

TEST(DramSharded, NeighboursRefuseBadParameters) {
    const std::string neighbours = "Number of Pages Sweep for DRAM Closest Neighbour";
    EXPECT_EQ(test::told_about(neighbours, {{"cores_per_bank", "0"}}),
              "parameter cores_per_bank: expected a whole number from 1 to 16, found '0'");
    EXPECT_EQ(test::told_about(neighbours, {}, {"wormhole_b0", 16, 131072}),
              "parameter call_size: 131072 bytes at 0x220000 do not fit into L1, which ends at 0x16e000");
}

}  // namespace

}  // namespace nocbench::dram_sharded
