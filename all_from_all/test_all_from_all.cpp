// Every core reads from every core: test "All from All Packet Sizes".
#include <gtest/gtest.h>

#include <string>

#include "kernels/frame/primitive.h"
#include "tests/support/all_with_all_laws.h"
#include "tests/support/finished_point.h"

namespace nocbench::all_from_all {

namespace {

using test::SweepPoint;

const test::AllWithAll kPrimitive{"All from All Packet Sizes", "Receiver"};

class AllFromAll : public testing::TestWithParam<SweepPoint> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, AllFromAll, testing::ValuesIn(test::quick_points_of(kPrimitive.test)),
                         &test::name_of);

TEST_P(AllFromAll, DataArriveEverywhere) { test::expect_data_arrive_everywhere(kPrimitive, GetParam()); }

class AllFromAllLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, AllFromAllLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& one) { return one.param; });

TEST_P(AllFromAllLaws, EveryCoreTurnsToTheOthersInTheSameOrder) {
    test::expect_the_same_order_for_all(kPrimitive, GetParam());
}

TEST_P(AllFromAllLaws, CoresStartAsTold) { test::expect_starts_as_told(kPrimitive, GetParam()); }

TEST_P(AllFromAllLaws, AllSettingsWork) { test::expect_settings_work(kPrimitive, GetParam()); }

TEST_P(AllFromAllLaws, ReadsThatMeetAreLimitedByContentionAndAloneByTheLink) {
    const auto limiter = [&](const std::string& grid) {
        return run_point(find_test(kPrimitive.test), GetParam(), "",
                         {{"grid", grid}, {"start", "together"}, {"num_transactions", "4"}, {"call_size", "16384"}}, {})
            .rows.at(0)
            .limiter;
    };
    EXPECT_EQ(limiter("5x5"), Cause::contention);
    EXPECT_EQ(limiter("1x1"), Cause::link);
}

TEST_P(AllFromAllLaws, GridsMeet) {
    test::expect_grids_meet({"All from All 2x2 from 2x2 Directed Ideal", kPrimitive.label}, GetParam());
}

TEST(AllFromAllParameters, AreCheckedAndNamed) { test::expect_bad_settings_are_named(kPrimitive); }

}  // namespace

}  // namespace nocbench::all_from_all
