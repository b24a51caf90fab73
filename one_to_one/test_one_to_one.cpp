// One core writes to another core: test "One to One Packet Sizes".
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "device_model/tenstorrent/arch/constants.h"
#include "tests/support/finished_point.h"
#include "tests/support/machine.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::one_to_one {

namespace {

using test::FinishedPoint;
using test::first_difference;
using test::SweepPoint;
using test::told_about;

const std::string kTest = "One to One Packet Sizes";
constexpr LogicalCoordinate kSource{0, 0};
constexpr LogicalCoordinate kDestination{1, 1};

class OneToOne : public testing::TestWithParam<SweepPoint> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneToOne, testing::ValuesIn(test::points_of(kTest)), &test::name_of);

TEST_P(OneToOne, DataArriveAndNothingElseDoes) {
    const std::uint32_t size = GetParam().call_size_bytes;
    std::unique_ptr<test::Surroundings> surroundings;
    FinishedPoint point(kTest, GetParam(), {}, [&](Device& device) {
        surroundings =
            std::make_unique<test::Surroundings>(device, kDestination, kL1BufferAddress, kL1BufferAddress + size);
    });
    EXPECT_EQ(first_difference(point.device().read_l1(kDestination, kL1BufferAddress, size), point.sent(kSource)), "");
    EXPECT_EQ(first_difference(point.device().read_l1(kSource, kL1BufferAddress, size), point.sent(kSource)), "");
    surroundings->expect_untouched(point.device());
    test::expect_sound(kTest, GetParam(), point);
}

TEST_P(OneToOne, LatencyRespectsPhysics) {
    FinishedPoint point(kTest, GetParam());
    const TorusArchitecture& architecture = point.device().architecture();
    test::expect_not_faster_than_physics(point, "Sender", architecture,
                                         test::hops_there_and_back(point.device().grid(), kSource, kDestination),
                                         architecture.risc.write_call_ticks);
}

TEST_P(OneToOne, LimiterIsWhatTheHardwareIsLimitedBy) {
    test::expect_plain_limiter(FinishedPoint(kTest, GetParam()), "Sender", GetParam(),
                               GetParam().architecture == "wormhole_b0" ? 512 : 1024);
}

class OneToOneLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneToOneLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& test) { return test.param; });

TEST_P(OneToOneLaws, LatencyGrowsWithTransactions) { test::expect_latency_grows_with_transactions(kTest, GetParam()); }

TEST_P(OneToOneLaws, CallsOfAnySizeWork) {
    test::expect_calls_of_any_size_work(
        kTest, GetParam(), test::combinations({{"destination", {"1,1", "0,0"}}, {"stateful", {"0", "1"}}}));
}

TEST_P(OneToOneLaws, OtherCoresNocsAndVirtualChannelsWork) {
    test::expect_data_arrive(kTest, {GetParam(), 5, 3001},
                             test::combinations({{"source", {"0,3"}},
                                                 {"destination", {"0,0", "0,3", "5,0", "6,6"}},
                                                 {"noc", {"0", "1"}},
                                                 {"riscv", {"0", "1"}},
                                                 {"vc", {"0", "3"}},
                                                 {"stateful", {"0", "1"}}}));
}

TEST_P(OneToOneLaws, StatefulCallsAreIssuedFaster) { test::expect_stateful_calls_are_issued_faster(kTest, GetParam()); }

TEST_P(OneToOneLaws, TheDataCheckNoticesAWrongByteInAnyPacket) {
    for (const std::uint32_t size : {64U, 2048U, 20000U}) {
        test::expect_tampering_is_noticed(kTest, {GetParam(), 5, size});
    }
    test::expect_tampering_is_noticed(kTest, {GetParam(), 5, 2048}, {{"destination", "0,0"}});
}

TEST_P(OneToOneLaws, TheDataCheckNoticesAWrongSource) {
    test::expect_a_wrong_source_is_noticed(kTest, GetParam(), kSource, kL1BufferAddress, 1);
}

TEST_P(OneToOneLaws, TheDataCheckNoticesAChangeAtTheDestination) {
    test::expect_a_change_at_the_destination_is_noticed(kTest, GetParam(), kDestination, false, 0);
}

TEST(OneToOneParameters, AreCheckedAndNamed) {
    EXPECT_EQ(
        told_about(kTest, {{"destination", "8,0"}}),
        "parameter destination: core (8, 0): expected a logical coordinate inside the compute grid of board n150 (x "
        "from 0 to 7, y from 0 to 7), found one outside it");
    EXPECT_EQ(told_about(kTest, {{"source", "one"}}),
              "parameter source: expected the logical coordinates of a core, such as 0,0, found 'one'");
    EXPECT_EQ(told_about(kTest, {{"riscv", "2"}}), "parameter riscv: expected a whole number from 0 to 1, found '2'");
    EXPECT_EQ(told_about(kTest, {{"noc", "-1"}}), "parameter noc: expected a whole number from 0 to 1, found '-1'");
    EXPECT_EQ(told_about(kTest, {{"vc", "4"}}), "parameter vc: expected a whole number from 0 to 3, found '4'");
    EXPECT_EQ(
        told_about(kTest, {{"cores", "4"}}),
        "parameter cores: this test has no such parameter; it has num_transactions, call_size, source, destination, "
        "riscv, noc, vc, stateful");
    EXPECT_EQ(told_about(kTest, {}, {"wormhole_b0", 0, 64}),
              "parameter num_transactions: expected a whole number from 1 to 1000000, found '0'");
    EXPECT_EQ(told_about(kTest, {}, {"wormhole_b0", 1, 0}),
              "parameter call_size: expected a whole number from 1 to 1499136, found '0'");
    EXPECT_EQ(told_about(kTest, {}, {"wormhole_b0", 1, 0x12e001}),
              "parameter call_size: 1236993 bytes at 0x40000 do not fit into L1, which ends at 0x16e000");
    EXPECT_EQ(told_about(kTest, {}, {"wormhole_b0", 1, 0x12e000}), "no error");
}

TEST(OneToOneParameters, ChangedOnesAreInTheRow) {
    const PointResult point =
        run_point(find_test(kTest), "wormhole_b0", "n300",
                  {{"num_transactions", "1"}, {"call_size", "64"}, {"vc", "2"}, {"noc", "1"}, {"source", "0,0"}},
                  {{"router.hop_cycles", "10"}});
    EXPECT_EQ(point.params, "noc=1;vc=2;router.hop_cycles=10");
    EXPECT_EQ(point.board, "n300");
    EXPECT_EQ(point.rows.at(0).noc, 1);
}

TEST(OneToOneParameters, CallsOfMoreThanAPacketAreNamed) {
    for (const std::string test : {"One Packet Write Sizes", "One Packet Write Sizes 2.0"}) {
        EXPECT_EQ(test::told_about(test, {}, {"blackhole", 1, 16448}),
                  "parameter call_size: expected a call of at most one packet of 16384 bytes, found 16448 bytes");
    }
}

}  // namespace

}  // namespace nocbench::one_to_one
