// Resharding of a tensor: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/finished_point.h"

namespace nocbench::reshard {

namespace {

TEST(Reshard, SweepsAreThoseOfUpstream) {
    const Sweep sweep = find_test("Reshard Medium").sweep_on("wormhole_b0", Tier::full);
    EXPECT_EQ(sweep.num_transactions, std::vector<std::int64_t>{12});
    EXPECT_EQ(sweep.call_size_bytes, std::vector<std::int64_t>{4096});
}

TEST(Reshard, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about("Reshard Small", {{"cores", "0"}}),
              "parameter cores: expected a whole number from 1 to 64, found '0'");
    EXPECT_EQ(test::told_about("Reshard Small", {{"old_cores", "63"}}),
              "parameter old_cores: expected at most 62, with the 64 cores of board n150, found 63");
    EXPECT_EQ(test::told_about("Reshard Small", {}, {"wormhole_b0", 512, 2048}),
              "parameters num_transactions and call_size: 2097152 bytes at 0x40000 do not fit into L1, which ends at "
              "0x16e000");
}

}  // namespace

}  // namespace nocbench::reshard
