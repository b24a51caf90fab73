// Pages of a tensor and shards: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/finished_point.h"

namespace nocbench::interleaved_to_sharded {

namespace {

TEST(InterleavedToSharded, SweepsAreThoseOfUpstream) {
    const Sweep sweep = find_test("Interleaved to Sharded L1 Row Major Reader").sweep_on("wormhole_b0", Tier::full);
    EXPECT_EQ(sweep.num_transactions, std::vector<std::int64_t>{128});
    EXPECT_EQ(sweep.call_size_bytes, std::vector<std::int64_t>{512});
}

TEST(InterleavedToSharded, AShardThatIsTooLargeIsRefused) {
    EXPECT_EQ(test::told_about("Interleaved to Sharded DRAM Tile Reader", {}, {"wormhole_b0", 128, 16384}),
              "parameter call_size: 16384 bytes at 0x23c000 do not fit into L1, which ends at 0x16e000");
}

}  // namespace

}  // namespace nocbench::interleaved_to_sharded
