// One core writes to another one: test "One to One Packet Sizes".
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "tests/finished_point.h"
#include "tests/machine.h"

namespace nocbench::one_to_one {

namespace {

using test::FinishedPoint;
using test::first_difference;
using test::Saboteur;
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
    EXPECT_EQ(first_difference(point.device().read_l1(kDestination, kL1BufferAddress, size), point.sent()), "");
    EXPECT_EQ(first_difference(point.device().read_l1(kSource, kL1BufferAddress, size), point.sent()), "");
    surroundings->expect_untouched(point.device());
    test::expect_sound(kTest, GetParam(), point);
}

TEST_P(OneToOne, LatencyRespectsPhysics) {
    FinishedPoint point(kTest, GetParam());
    const Grid& grid = point.device().grid();
    const Architecture& architecture = point.device().architecture();
    test::expect_not_faster_than_physics(point, "Sender", architecture, grid.columns() + grid.rows(),
                                         architecture.risc.write_call_ticks);
}

TEST_P(OneToOne, LimiterIsWhatTheHardwareIsLimitedBy) {
    const FinishedPoint point(kTest, GetParam());
    const std::uint32_t issue_up_to = GetParam().architecture == "wormhole_b0" ? 512 : 1024;
    if (GetParam().num_transactions >= 64) {
        const bool is_small = GetParam().call_size_bytes <= issue_up_to;
        EXPECT_EQ(to_string(point.limiter("Sender")), is_small ? "issue" : "link");
    } else if (GetParam().num_transactions == 1 && GetParam().call_size_bytes < 1024) {
        EXPECT_EQ(to_string(point.limiter("Sender")), "round_trip");
    }
}

class OneToOneLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneToOneLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& test) { return test.param; });

TEST_P(OneToOneLaws, LatencyGrowsWithTransactions) { test::expect_latency_grows_with_transactions(kTest, GetParam()); }

TEST_P(OneToOneLaws, CallsOfAnySizeWork) {
    for (const std::uint32_t size : {1U, 17U, 100U, 1000U, 8195U, 40001U}) {
        for (const char* const destination : {"1,1", "0,0"}) {
            const FinishedPoint point(kTest, {GetParam(), 3, size}, {{"destination", destination}});
            EXPECT_TRUE(point.report("Sender").data_ok) << size << " with " << destination;
        }
    }
}

TEST_P(OneToOneLaws, OtherCoresNocsAndVirtualChannelsWork) {
    for (const char* const destination : {"0,0", "0,3", "5,0", "6,6"}) {
        for (const char* const noc : {"0", "1"}) {
            for (const char* const vc : {"0", "3"}) {
                const SweepPoint sweep_point{GetParam(), 5, 3001};
                const FinishedPoint point(
                    kTest, sweep_point,
                    {{"source", "0,3"}, {"destination", destination}, {"noc", noc}, {"vc", vc}, {"riscv", noc}});
                EXPECT_TRUE(point.report("Sender").data_ok) << destination << " " << noc << " " << vc;
                EXPECT_EQ(std::to_string(point.report("Sender").noc), noc);
                EXPECT_EQ(std::to_string(point.report("Sender").riscv), noc);
            }
        }
    }
}

TEST_P(OneToOneLaws, TheDataCheckNoticesAWrongSource) {
    for (const std::uint32_t size : {64U, 2048U, 16384U}) {
        std::optional<Saboteur> saboteur;
        const FinishedPoint point(kTest, {GetParam(), 4, size}, {}, [&](Device& device) {
            saboteur.emplace(device, kSource, 1, 1, kL1BufferAddress + size - 4, Saboteur::When::at_once);
        });
        EXPECT_FALSE(point.report("Sender").data_ok) << size;
    }
}

TEST_P(OneToOneLaws, TheDataCheckNoticesAChangeAtTheDestination) {
    for (const std::uint32_t offset : {0U, 1024U, 2044U}) {
        std::optional<Saboteur> saboteur;
        const FinishedPoint point(kTest, {GetParam(), 1, 2048}, {}, [&](Device& device) {
            saboteur.emplace(device, kDestination, 0, 0, kL1BufferAddress + offset, Saboteur::When::in_the_end);
        });
        EXPECT_FALSE(point.report("Sender").data_ok) << offset;
    }
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
        "riscv, noc, vc");
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

}  // namespace

}  // namespace nocbench::one_to_one
