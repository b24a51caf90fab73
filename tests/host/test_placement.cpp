#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/host/allocator.h"
#include "kernels/tensix/tensor_layout.h"
#include "nocbench/host/bfloat16.h"
#include "nocbench/host/tiles.h"

namespace {

using nocbench::PagePlace;
using nocbench::TensorLayout;
using nocbench::host::RangeAllocator;

TEST(RangeAllocator, TakesFromBothEndsAndFillsGaps) {
    RangeAllocator ranges(100, 1000);
    EXPECT_EQ(ranges.take(100, 64, true), 128);
    EXPECT_EQ(ranges.take(100, 64, false), 896);
    EXPECT_EQ(ranges.take(100, 64, true), 256);
    ranges.release(128);
    EXPECT_EQ(ranges.lowest(), 256);
    EXPECT_EQ(ranges.take(64, 64, true), 128);
    EXPECT_EQ(ranges.take(640, 64, true), std::nullopt);
    EXPECT_EQ(ranges.largest_gap(), 896 - 356);
}

TEST(TensorLayout, InterleavedPagesGoRoundTheBanks) {
    const TensorLayout layout{.tensor = {7}, .shard = {}, .num_banks = 3};
    const std::vector<PagePlace> places = layout.places();
    EXPECT_EQ(places[5].bank, 2);
    EXPECT_EQ(places[5].row, 1);
    EXPECT_EQ(layout.rows_per_bank(), 3);
    EXPECT_EQ(layout.accessor_words(true, {}), std::vector<std::uint32_t>{2});
}

TEST(TensorLayout, ShardsGoRoundTheirCores) {
    const TensorLayout layout{.tensor = {4, 6}, .shard = {2, 3}, .num_banks = 2};
    const std::vector<PagePlace> places = layout.places();
    // The page in row 3 and column 4 is in the last of four shards, the second one of its core.
    EXPECT_EQ(places[3 * 6 + 4].bank, 1);
    EXPECT_EQ(places[3 * 6 + 4].row, 6 + 4);
    EXPECT_EQ(layout.rows_per_bank(), 12);
    const std::vector<std::uint32_t> banks{nocbench::bank_word(1, 2), nocbench::bank_word(3, 4)};
    EXPECT_EQ(layout.accessor_words(false, banks), (std::vector<std::uint32_t>{1, 2, 2, 4, 6, 2, 3, 0x0304'0102}));
}

TEST(HostValues, Bfloat16RoundsToEven) {
    EXPECT_EQ(bfloat16(1.0F).to_packed(), 0x3F80);
    EXPECT_EQ(bfloat16(std::bit_cast<float>(0x3F80'8000U)).to_packed(), 0x3F80);
    EXPECT_EQ(bfloat16(std::bit_cast<float>(0x3F81'8000U)).to_packed(), 0x3F82);
    EXPECT_EQ(bfloat16(std::bit_cast<float>(0x3F80'8001U)).to_packed(), 0x3F81);
    EXPECT_NE(bfloat16(std::bit_cast<float>(0x7F80'0001U)).to_packed(), 0x7F80) << "not a number, not infinite";
}

TEST(HostValues, TilesHaveFourFaces) {
    std::vector<std::uint32_t> values(32 * 64);
    for (std::uint32_t index = 0; index < values.size(); ++index) {
        values[index] = index;
    }
    const std::vector<std::uint32_t> tiled = tilize_nfaces(values, 32, 64);
    EXPECT_EQ(tiled[16], 64) << "the second row of the first face";
    EXPECT_EQ(tiled[256], 16) << "the second face";
    EXPECT_EQ(tiled[512], 16 * 64) << "the third face";
    EXPECT_EQ(tiled[1024], 32) << "the second tile";
    EXPECT_EQ(untilize_nfaces(tiled, 32, 64), values);
}

}  // namespace
