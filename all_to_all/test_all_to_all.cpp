// Every core writes to every core: test "All to All Packet Sizes".
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/all_with_all_laws.h"
#include "tests/support/finished_point.h"

namespace nocbench::all_to_all {

namespace {

using test::SweepPoint;

const test::AllWithAll kPrimitive{"All to All Packet Sizes", "Sender"};

class AllToAll : public testing::TestWithParam<SweepPoint> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, AllToAll, testing::ValuesIn(test::quick_points_of(kPrimitive.test)),
                         &test::name_of);

TEST_P(AllToAll, DataArriveEverywhere) { test::expect_data_arrive_everywhere(kPrimitive, GetParam()); }

class AllToAllLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, AllToAllLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& one) { return one.param; });

TEST_P(AllToAllLaws, EveryCoreTurnsToTheOthersInTheSameOrder) {
    test::expect_the_same_order_for_all(kPrimitive, GetParam());
}

TEST_P(AllToAllLaws, CoresStartAsTold) { test::expect_starts_as_told(kPrimitive, GetParam()); }

TEST_P(AllToAllLaws, AllSettingsWork) { test::expect_settings_work(kPrimitive, GetParam()); }

TEST_P(AllToAllLaws, GridsMeet) {
    test::expect_grids_meet({"All to All 2x2 to 2x2 Directed Ideal", kPrimitive.label}, GetParam());
}

TEST(AllToAllEstimator, HasNoManyOrLongCallsBetweenManyCores) {
    for (const std::string name : {"All to All", "All from All"}) {
        const TestDefinition& test = find_test("Noc Estimator - L1 " + name);
        const std::vector<Combination> left_out = test.sweep_on("blackhole", Tier::full).left_out;
        const auto has = [&](const Combination& part) { return std::ranges::find(left_out, part) != left_out.end(); };
        EXPECT_TRUE(has({{"master_grid", "5x5"}, {"num_transactions", "64"}}));
        EXPECT_TRUE(has({{"master_grid", "all"}, {"call_size", "8192"}}));
        EXPECT_FALSE(has({{"master_grid", "all"}, {"num_transactions", "16"}}));
        EXPECT_FALSE(has({{"master_grid", "5x5"}, {"call_size", "8192"}}));
    }
}

TEST(AllToAllParameters, AreCheckedAndNamed) { test::expect_bad_settings_are_named(kPrimitive); }

}  // namespace

}  // namespace nocbench::all_to_all
