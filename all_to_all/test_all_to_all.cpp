// Every core writes to every core: test "All to All Packet Sizes".
#include <gtest/gtest.h>

#include <string>

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

TEST(AllToAllParameters, AreCheckedAndNamed) { test::expect_bad_settings_are_named(kPrimitive); }

}  // namespace

}  // namespace nocbench::all_to_all
