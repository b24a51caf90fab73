// One core reads from another core: test "One from One Packet Sizes".
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "device_model/tenstorrent/arch/constants.h"
#include "tests/support/finished_point.h"
#include "tests/support/machine.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::one_from_one {

namespace {

using test::FinishedPoint;
using test::first_difference;
using test::SweepPoint;
using test::told_about;

const std::string kTest = "One from One Packet Sizes";
constexpr LogicalCoordinate kRequestor{0, 0};
constexpr LogicalCoordinate kResponder{1, 1};

class OneFromOne : public testing::TestWithParam<SweepPoint> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneFromOne, testing::ValuesIn(test::points_of(kTest)), &test::name_of);

TEST_P(OneFromOne, DataArriveAndNothingElseDoes) {
    const std::uint32_t size = GetParam().call_size_bytes;
    std::unique_ptr<test::Surroundings> surroundings;
    FinishedPoint point(kTest, GetParam(), {}, [&](Device& device) {
        surroundings =
            std::make_unique<test::Surroundings>(device, kRequestor, kL1BufferAddress, kL1BufferAddress + size);
    });
    EXPECT_EQ(first_difference(point.device().read_l1(kRequestor, kL1BufferAddress, size), point.sent(kResponder)), "");
    EXPECT_EQ(first_difference(point.device().read_l1(kResponder, kL1BufferAddress, size), point.sent(kResponder)), "");
    surroundings->expect_untouched(point.device());
    test::expect_sound(kTest, GetParam(), point);
}

TEST_P(OneFromOne, LatencyRespectsPhysics) {
    FinishedPoint point(kTest, GetParam());
    const TorusArchitecture& architecture = point.device().architecture();
    test::expect_not_faster_than_physics(point, "Receiver", architecture,
                                         test::hops_there_and_back(point.device().grid(), kRequestor, kResponder),
                                         architecture.risc.read_call_ticks);
}

TEST_P(OneFromOne, LimiterIsWhatTheHardwareIsLimitedBy) {
    test::expect_plain_limiter(FinishedPoint(kTest, GetParam()), "Receiver", GetParam(),
                               GetParam().architecture == "blackhole" ? 2048 : 512);
}

class OneFromOneLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneFromOneLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& test) { return test.param; });

TEST_P(OneFromOneLaws, LatencyGrowsWithTransactions) {
    test::expect_latency_grows_with_transactions(kTest, GetParam());
}

TEST_P(OneFromOneLaws, CallsOfAnySizeWork) {
    test::expect_calls_of_any_size_work(
        kTest, GetParam(), test::combinations({{"destination", {"1,1", "0,0"}}, {"stateful", {"0", "1"}}}));
}

TEST_P(OneFromOneLaws, OtherCoresNocsAndVirtualChannelsWork) {
    test::expect_data_arrive(kTest, {GetParam(), 5, 3001},
                             test::combinations({{"source", {"0,3"}},
                                                 {"destination", {"0,0", "0,3", "5,0", "6,6"}},
                                                 {"noc", {"0", "1"}},
                                                 {"riscv", {"0", "1"}},
                                                 {"vc", {"0", "3"}},
                                                 {"stateful", {"0", "1"}}}));
}

TEST_P(OneFromOneLaws, StatefulCallsAreNotIssuedSlower) {
    test::expect_stateful_calls_are_issued_faster(kTest, GetParam());
}

TEST_P(OneFromOneLaws, TheDataCheckNoticesAWrongByteInAnyPacket) {
    for (const std::uint32_t size : {64U, 2048U, 20000U}) {
        test::expect_tampering_is_noticed(kTest, {GetParam(), 5, size});
    }
    test::expect_tampering_is_noticed(kTest, {GetParam(), 5, 2048}, {{"destination", "0,0"}});
}

TEST_P(OneFromOneLaws, TheDataCheckNoticesAWrongSource) {
    test::expect_a_wrong_source_is_noticed(kTest, GetParam(), kResponder, kL1BufferAddress, 0);
}

TEST_P(OneFromOneLaws, TheDataCheckNoticesAChangeAtTheDestination) {
    test::expect_a_change_at_the_destination_is_noticed(kTest, GetParam(), kRequestor, false, 0);
}

TEST(OneFromOneParameters, AreCheckedAndNamed) {
    EXPECT_EQ(
        told_about(kTest, {{"source", "0,8"}}),
        "parameter source: core (0, 8): expected a logical coordinate inside the compute grid of board n150 (x from "
        "0 to 7, y from 0 to 7), found one outside it");
    EXPECT_EQ(told_about(kTest, {{"destination", "1;1"}}),
              "parameter destination: expected the logical coordinates of a core, such as 0,0, found '1;1'");
    EXPECT_EQ(told_about(kTest, {{"riscv", "ncrisc"}}),
              "parameter riscv: expected a whole number from 0 to 1, found 'ncrisc'");
    EXPECT_EQ(told_about(kTest, {{"noc", "2"}}), "parameter noc: expected a whole number from 0 to 1, found '2'");
    EXPECT_EQ(told_about(kTest, {{"vc", "9"}}), "parameter vc: expected a whole number from 0 to 3, found '9'");
    EXPECT_EQ(
        told_about(kTest, {{"bank", "0"}}),
        "parameter bank: this test has no such parameter; it has num_transactions, call_size, source, destination, "
        "riscv, noc, vc, stateful");
    EXPECT_EQ(told_about(kTest, {}, {"blackhole", 1, 0x140001}),
              "parameter call_size: 1310721 bytes at 0x40000 do not fit into L1, which ends at 0x180000");
}

TEST(OneFromOneParameters, CallsOfMoreThanAPacketAreNamed) {
    for (const std::string test : {"One Packet Read Sizes", "One Packet Read Sizes 2.0"}) {
        EXPECT_EQ(test::told_about(test, {}, {"blackhole", 1, 16448}),
                  "parameter call_size: expected a call of at most one packet of 16384 bytes, found 16448 bytes");
    }
}

}  // namespace

}  // namespace nocbench::one_from_one
