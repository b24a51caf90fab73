// One core reads from many: test "One from All Packet Sizes".
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/tensix/rectangle.h"
#include "tests/support/delivery_log.h"
#include "tests/support/finished_point.h"
#include "tests/support/machine.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::one_from_all {

namespace {

using test::combinations;
using test::DeliveryLog;
using test::FinishedPoint;
using test::first_difference;
using test::Parameters;
using test::SweepPoint;
using test::told_about;

const std::string kTest = "One from All Packet Sizes";
constexpr LogicalCoordinate kRequestor{0, 0};
constexpr LogicalRectangle kResponders{.first = {1, 1}, .last = {4, 4}};

class OneFromAll : public testing::TestWithParam<SweepPoint> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneFromAll, testing::ValuesIn(test::quick_points_of(kTest)), &test::name_of);

TEST_P(OneFromAll, DataArriveFromEveryResponderAndNobodyElse) {
    const std::uint32_t size = GetParam().call_size_bytes;
    std::unique_ptr<DeliveryLog> log;
    FinishedPoint point(kTest, GetParam(), {}, [&](Device& device) { log = std::make_unique<DeliveryLog>(device); });
    const Grid& grid = point.device().grid();
    std::map<DeliveryLog::Route, std::uint64_t> expected;
    for (const LogicalCoordinate responder : cores_of(kResponders)) {
        expected[{grid.physical(responder), grid.physical(kRequestor)}] =
            std::uint64_t{GetParam().num_transactions} * size;
        EXPECT_EQ(first_difference(point.device().read_l1(responder, kL1BufferAddress, size), point.sent(responder)),
                  "");
    }
    EXPECT_EQ(log->bytes(), expected);
    test::expect_sound(kTest, GetParam(), point, {}, {.calls_per_transaction = expected.size()});
}

TEST_P(OneFromAll, LatencyRespectsPhysics) {
    FinishedPoint point(kTest, GetParam());
    const Grid& grid = point.device().grid();
    const TorusArchitecture& architecture = point.device().architecture();
    test::expect_not_faster_than_physics(point, "Receiver", architecture, grid.columns() + grid.rows(),
                                         std::min<Tick>(architecture.risc.read_call_ticks, 18 * kTicksPerCycle));
}

class OneFromAllLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneFromAllLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& one) { return one.param; });

TEST_P(OneFromAllLaws, LatencyGrowsWithTransactions) {
    test::expect_latency_grows_with_transactions(kTest, GetParam(), {{"rectangle", "1,1-1,2"}});
}

TEST_P(OneFromAllLaws, CallsOfAnySizeWork) {
    test::expect_calls_of_any_size_work(kTest, GetParam(),
                                        {{{"rectangle", "1,0-2,1"}},
                                         {{"rectangle", "1,0-2,1"}, {"stateful", "1"}},
                                         {{"rectangle", "0,0-1,1"}, {"loopback", "1"}}});
}

TEST_P(OneFromAllLaws, StatefulCallsAreNotIssuedSlower) {
    test::expect_stateful_calls_are_issued_faster(kTest, GetParam());
}

TEST_P(OneFromAllLaws, ReadsFromAnywhereArrive) {
    const std::vector<std::string> rectangles{"0,0-7,0", "3,0-3,7", "1,1-4,4", "6,5-7,7", "2,2-3,2"};
    test::expect_data_arrive(kTest, {GetParam(), 3, 3001},
                             combinations({{"rectangle", rectangles},
                                           {"source", {"0,0", "3,2", "7,7", "2,2"}},
                                           {"noc", {"0", "1"}},
                                           {"riscv", {"0"}},
                                           {"vc", {"0", "3"}}}));
    for (const char* const inside : {"0,0-1,1", "0,0-3,0", "0,0-0,0"}) {
        test::expect_data_arrive(kTest, {GetParam(), 3, 3001}, {{{"rectangle", inside}, {"loopback", "1"}}});
    }
}

TEST_P(OneFromAllLaws, ReadsComeColumnByColumn) {
    std::unique_ptr<DeliveryLog> log;
    FinishedPoint point(kTest, {GetParam(), 2, 64}, {},
                        [&](Device& device) { log = std::make_unique<DeliveryLog>(device); });
    const Grid& grid = point.device().grid();
    std::vector<PhysicalCoordinate> expected;
    for (const LogicalCoordinate responder : cores_of(kResponders)) {
        expected.push_back(grid.physical(responder));
    }
    EXPECT_EQ(log->partners_in_order(grid.physical(kRequestor)), expected);
}

TEST_P(OneFromAllLaws, AGridCountsInsteadOfThePublishedRectangle) {
    const SweepPoint sweep_point{GetParam(), 4, 1024};
    EXPECT_EQ(FinishedPoint(kTest, sweep_point, {{"grid", "3x2"}}).latency_cycles("Receiver"),
              FinishedPoint(kTest, sweep_point, {{"rectangle", "0,0-2,1"}}).latency_cycles("Receiver"));
    EXPECT_EQ(FinishedPoint(kTest, sweep_point, {{"grid", "3x2"}}).report("Receiver").transaction_size_bytes, 5 * 1024);
}

TEST_P(OneFromAllLaws, TheDataCheckNoticesAWrongByteInAnyPacket) {
    test::expect_tampering_is_noticed(kTest, {GetParam(), 3, 64});
    test::expect_tampering_is_noticed(kTest, {GetParam(), 3, 20000}, {{"rectangle", "1,1-2,2"}});
}

TEST_P(OneFromAllLaws, TheDataCheckNoticesAWrongSource) {
    test::expect_a_wrong_source_is_noticed(kTest, GetParam(), {1, 1}, kL1BufferAddress, 0);
    test::expect_a_wrong_source_is_noticed(kTest, GetParam(), {4, 4}, kL1BufferAddress, 0);
}

TEST_P(OneFromAllLaws, TheDataCheckNoticesAChangeAtTheDestination) {
    test::expect_a_change_at_the_destination_is_noticed(kTest, GetParam(), kRequestor, false, 0);
}

TEST(OneFromAllParameters, AreCheckedAndNamed) {
    EXPECT_EQ(told_about(kTest, {{"rectangle", "4,4-1,1"}}),
              "parameter rectangle: expected a first corner that is not beyond the last one, found '4,4-1,1'");
    EXPECT_EQ(told_about(kTest, {{"rectangle", "7,7-8,8"}}),
              "parameter rectangle: core (8, 8): expected a logical coordinate inside the compute grid of board n150 "
              "(x from 0 to 7, y from 0 to 7), found one outside it");
    EXPECT_EQ(told_about(kTest, {{"grid", "0x0"}}),
              "parameter grid: expected columns and rows, such as 2x2, or all, found '0x0'");
    EXPECT_EQ(
        told_about(kTest, {{"rectangle", "0,0-0,0"}}),
        "parameter grid or rectangle: expected a core besides the source (0, 0), found none; with loopback=1, the "
        "source takes part");
    EXPECT_EQ(told_about(kTest, {{"loopback", "1"}}),
              "parameter loopback: expected the source (0, 0) within the rectangle 1,1-4,4, found it outside");
    EXPECT_EQ(told_about(kTest, {{"vc", "4"}}), "parameter vc: expected a whole number from 0 to 3, found '4'");
    EXPECT_EQ(told_about(kTest, {}, {"blackhole", 1, 0x140001}),
              "parameter call_size: 1310721 bytes at 0x40000 do not fit into L1, which ends at 0x180000");
}

}  // namespace

}  // namespace nocbench::one_from_all
