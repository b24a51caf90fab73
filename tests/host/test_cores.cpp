#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "nocbench/host/cores.h"
#include "nocbench/host/log.h"

namespace {

using tt::tt_metal::corerange_to_cores;
using tt::tt_metal::split_work_to_cores;

CoreRange range(std::size_t left, std::size_t top, std::size_t right, std::size_t bottom) {
    return {{left, top}, {right, bottom}};
}

TEST(Cores, SetsMergeIntoFewRectangles) {
    const CoreRangeSet rows(std::vector<CoreRange>{range(0, 0, 3, 0), range(0, 2, 3, 2)});
    const CoreRangeSet merged = rows.merge(CoreRangeSet(range(0, 1, 3, 1)));
    ASSERT_EQ(merged.size(), 1);
    EXPECT_EQ(merged.ranges().front(), range(0, 0, 3, 2));
    EXPECT_EQ(rows.merge(range(1, 0, 2, 2)).num_cores(), 10);
}

TEST(Cores, SetsLeaveHoles) {
    const CoreRangeSet rest = CoreRangeSet(range(0, 0, 4, 4)).subtract(CoreRangeSet(range(1, 1, 3, 3)));
    EXPECT_EQ(rest.num_cores(), 16);
    EXPECT_FALSE(rest.contains(CoreCoord(2, 2)));
    EXPECT_TRUE(rest.contains(range(0, 0, 4, 0)));
    EXPECT_FALSE(rest.contains(range(0, 0, 4, 1)));
    EXPECT_EQ(rest.bounding_box(), range(0, 0, 4, 4));
    EXPECT_EQ(rest, CoreRangeSet(range(0, 0, 4, 0))
                        .merge(CoreRangeSet(range(0, 1, 0, 4)))
                        .merge(CoreRangeSet(range(4, 1, 4, 4)))
                        .merge(CoreRangeSet(range(1, 4, 3, 4))));
}

TEST(Cores, OverlapsAreRefused) {
    EXPECT_THROW(CoreRangeSet(std::vector<CoreRange>{range(0, 0, 2, 2), range(2, 2, 3, 3)}), tt::HostError);
    EXPECT_THROW(range(1, 0, 0, 0), tt::HostError);
}

TEST(Cores, ListsRunDownColumnsOrAlongRows) {
    const std::vector<CoreCoord> down{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    const std::vector<CoreCoord> along{{0, 0}, {1, 0}, {0, 1}};
    EXPECT_EQ(corerange_to_cores(CoreRangeSet(range(0, 0, 1, 1))), down);
    EXPECT_EQ(corerange_to_cores(CoreRangeSet(range(0, 0, 1, 1)), 3, true), along);
}

TEST(Cores, WorkIsSplitIntoTwoGroups) {
    const auto [count, all, more, less, units_of_more, units_of_less] = split_work_to_cores(CoreCoord(4, 2), 19);
    EXPECT_EQ(std::tuple(count, units_of_more, units_of_less), std::tuple(8, 3, 2));
    EXPECT_EQ(more.num_cores() * 3 + less.num_cores() * 2, 19);
    EXPECT_EQ(all.num_cores(), more.num_cores() + less.num_cores());
    EXPECT_FALSE(more.intersects(less));
}

TEST(Cores, LittleWorkTakesAsManyCores) {
    const auto [count, all, more, less, units_of_more, units_of_less] = split_work_to_cores(CoreCoord(4, 2), 3);
    EXPECT_EQ(std::tuple(count, units_of_more, units_of_less), std::tuple(3, 1, 0));
    EXPECT_EQ(all, more);
    EXPECT_TRUE(less.empty());
}

}  // namespace
