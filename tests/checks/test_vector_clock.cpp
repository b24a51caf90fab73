#include <gtest/gtest.h>

#include <array>

#include "device_model/tenstorrent/checks/vector_clock.h"

namespace nocbench {
namespace {

VectorClock::Pointer clock_of(std::initializer_list<StrandTime> steps) {
    return VectorClock::with(std::make_shared<const VectorClock>(), std::vector<StrandTime>(steps));
}

TEST(VectorClock, KnowsItsStepsAndEarlierOnes) {
    const auto clock = clock_of({{7, 3}, {2, 5}});
    EXPECT_EQ(clock->at(7), 3U);
    EXPECT_EQ(clock->at(3), 0U);
    EXPECT_TRUE(clock->knows({2, 4}));
    EXPECT_TRUE(clock->knows({2, 5}));
    EXPECT_FALSE(clock->knows({2, 6}));
    EXPECT_FALSE(clock->knows({3, 1}));
}

TEST(VectorClock, JoinsTakeTheLaterTimeOfEachStrand) {
    const auto joined = VectorClock::joined(clock_of({{1, 4}, {2, 1}}), clock_of({{2, 3}, {5, 1}, {1, 2}}));
    EXPECT_EQ(joined->at(1), 4U);
    EXPECT_EQ(joined->at(2), 3U);
    EXPECT_EQ(joined->at(5), 1U);
}

TEST(VectorClock, IsSharedIfThereIsNothingNew) {
    const auto clock = clock_of({{1, 4}, {2, 3}});
    EXPECT_EQ(VectorClock::joined(clock, clock_of({{2, 2}})), clock);
    const std::array steps{StrandTime{1, 4}};
    EXPECT_EQ(VectorClock::with(clock, steps), clock);
}

TEST(VectorClock, KeepsTheLastOfSeveralTimesOfAStrand) { EXPECT_EQ(clock_of({{1, 2}, {1, 9}, {1, 4}})->at(1), 9U); }

TEST(Moment, KnowsItsOwnStrandByItsOwnTime) {
    const Moment moment{{4, 6}, clock_of({{4, 2}, {5, 1}})};
    EXPECT_TRUE(moment.is_after({4, 6}));
    EXPECT_FALSE(moment.is_after({4, 7}));
    EXPECT_TRUE(moment.is_after({5, 1}));
}

}  // namespace
}  // namespace nocbench
