// One core reads from another one: test "One from One Packet Sizes".
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "tests/finished_point.h"
#include "tests/machine.h"

namespace nocbench::one_from_one {

namespace {

using test::FinishedPoint;
using test::first_difference;
using test::Saboteur;
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
    EXPECT_EQ(first_difference(point.device().read_l1(kRequestor, kL1BufferAddress, size), point.sent()), "");
    EXPECT_EQ(first_difference(point.device().read_l1(kResponder, kL1BufferAddress, size), point.sent()), "");
    surroundings->expect_untouched(point.device());
    test::expect_sound(kTest, GetParam(), point);
}

TEST_P(OneFromOne, LatencyRespectsPhysics) {
    FinishedPoint point(kTest, GetParam());
    const Grid& grid = point.device().grid();
    const Architecture& architecture = point.device().architecture();
    test::expect_not_faster_than_physics(point, "Receiver", architecture, grid.columns() + grid.rows(),
                                         architecture.risc.read_call_ticks);
}

TEST_P(OneFromOne, LimiterIsWhatTheHardwareIsLimitedBy) {
    const FinishedPoint point(kTest, GetParam());
    const std::uint32_t issue_up_to = GetParam().architecture == "wormhole_b0" ? 512 : 2048;
    if (GetParam().num_transactions >= 64) {
        const bool is_small = GetParam().call_size_bytes <= issue_up_to;
        EXPECT_EQ(to_string(point.limiter("Receiver")), is_small ? "issue" : "link");
    } else if (GetParam().num_transactions == 1 && GetParam().call_size_bytes < 1024) {
        EXPECT_EQ(to_string(point.limiter("Receiver")), "round_trip");
    }
}

class OneFromOneLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneFromOneLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& test) { return test.param; });

TEST_P(OneFromOneLaws, LatencyGrowsWithTransactions) {
    test::expect_latency_grows_with_transactions(kTest, GetParam());
}

TEST_P(OneFromOneLaws, CallsOfAnySizeWork) {
    for (const std::uint32_t size : {1U, 17U, 100U, 1000U, 8195U, 40001U}) {
        for (const char* const destination : {"1,1", "0,0"}) {
            const FinishedPoint point(kTest, {GetParam(), 3, size}, {{"destination", destination}});
            EXPECT_TRUE(point.report("Receiver").data_ok) << size << " with " << destination;
        }
    }
}

TEST_P(OneFromOneLaws, OtherCoresNocsAndVirtualChannelsWork) {
    for (const char* const destination : {"0,0", "0,3", "5,0", "6,6"}) {
        for (const char* const noc : {"0", "1"}) {
            for (const char* const vc : {"0", "3"}) {
                const SweepPoint sweep_point{GetParam(), 5, 3001};
                const FinishedPoint point(
                    kTest, sweep_point,
                    {{"source", "0,3"}, {"destination", destination}, {"noc", noc}, {"vc", vc}, {"riscv", noc}});
                EXPECT_TRUE(point.report("Receiver").data_ok) << destination << " " << noc << " " << vc;
                EXPECT_EQ(std::to_string(point.report("Receiver").noc), noc);
                EXPECT_EQ(std::to_string(point.report("Receiver").riscv), noc);
            }
        }
    }
}

TEST_P(OneFromOneLaws, TheDataCheckNoticesAWrongSource) {
    for (const std::uint32_t size : {64U, 2048U, 16384U}) {
        std::optional<Saboteur> saboteur;
        const FinishedPoint point(kTest, {GetParam(), 4, size}, {}, [&](Device& device) {
            saboteur.emplace(device, kResponder, 0, 0, kL1BufferAddress + size - 4, Saboteur::When::at_once);
        });
        EXPECT_FALSE(point.report("Receiver").data_ok) << size;
    }
}

TEST_P(OneFromOneLaws, TheDataCheckNoticesAChangeAtTheDestination) {
    for (const std::uint32_t offset : {0U, 1024U, 2044U}) {
        std::optional<Saboteur> saboteur;
        const FinishedPoint point(kTest, {GetParam(), 1, 2048}, {}, [&](Device& device) {
            saboteur.emplace(device, kRequestor, 0, 0, kL1BufferAddress + offset, Saboteur::When::in_the_end);
        });
        EXPECT_FALSE(point.report("Receiver").data_ok) << offset;
    }
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
        "riscv, noc, vc");
    EXPECT_EQ(told_about(kTest, {}, {"blackhole", 1, 0x140001}),
              "parameter call_size: 1310721 bytes at 0x40000 do not fit into L1, which ends at 0x180000");
}

}  // namespace

}  // namespace nocbench::one_from_one
