// One core writes to itself: test "Loopback Packet Sizes".
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "device_model/noc/topology.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "tests/support/finished_point.h"
#include "tests/support/machine.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::loopback {

namespace {

using test::FinishedPoint;
using test::first_difference;
using test::SweepPoint;
using test::told_about;

const std::string kTest = "Loopback Packet Sizes";
constexpr LogicalCoordinate kCore{0, 0};

class Loopback : public testing::TestWithParam<SweepPoint> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, Loopback, testing::ValuesIn(test::points_of(kTest)), &test::name_of);

TEST_P(Loopback, DataArriveAndNothingElseDoes) {
    const std::uint32_t size = GetParam().call_size_bytes;
    std::unique_ptr<test::Surroundings> surroundings;
    FinishedPoint point(kTest, GetParam(), {}, [&](Device& device) {
        surroundings =
            std::make_unique<test::Surroundings>(device, kCore, kL1BufferAddress, kL1BufferAddress + 2 * size);
    });
    EXPECT_EQ(first_difference(point.device().read_l1(kCore, kL1BufferAddress, size), point.sent(kCore)), "");
    EXPECT_EQ(first_difference(point.device().read_l1(kCore, kL1BufferAddress + size, size), point.sent(kCore)), "");
    surroundings->expect_untouched(point.device());
    test::expect_sound(kTest, GetParam(), point);
}

TEST_P(Loopback, LatencyRespectsPhysics) {
    FinishedPoint point(kTest, GetParam());
    const TorusArchitecture& architecture = point.device().architecture();
    test::expect_not_faster_than_physics(point, "Sender", architecture, 0, architecture.risc.write_call_ticks);
}

TEST_P(Loopback, NothingLeavesTheTile) {
    FinishedPoint point(kTest, GetParam());
    for (const LinkUse& use : point.device().link_use()) {
        EXPECT_EQ(use.router, point.device().grid().physical(kCore));
        EXPECT_EQ(use.direction, Direction::to_tile);
        EXPECT_EQ(use.flits, point.flits("Sender") + point.packets("Sender"));  // data and acknowledgements
    }
}

/// A loopback write costs as much as a write to another core, less the hops. Data and acknowledgements share the link
/// into the tile.
TEST_P(Loopback, IsAWriteWithoutHops) {
    const FinishedPoint here(kTest, GetParam());
    FinishedPoint there("One to One Packet Sizes", GetParam());
    const Grid& grid = there.device().grid();
    const TorusArchitecture& architecture = there.device().architecture();
    const auto hops =
        static_cast<double>(test::hops_there_and_back(grid, kCore, {1, 1}) * architecture.router.hop_cycles);
    const double without_hops = there.latency_cycles("Sender") - hops;
    const auto poll = static_cast<double>(architecture.risc.barrier_poll_ticks) / kTicksPerCycle;
    // The headers of acknowledgements take their time at the source of the data.
    const double header = cycles_from_ticks(architecture.niu.source_ticks_per_header);
    const double acknowledgements = 1.1 * header * static_cast<double>(here.packets("Sender"));
    EXPECT_GT(here.latency_cycles("Sender"), without_hops - poll);
    EXPECT_LT(here.latency_cycles("Sender"), without_hops + acknowledgements + poll);
}

TEST_P(Loopback, LimiterIsWhatTheHardwareIsLimitedBy) {
    test::expect_plain_limiter(FinishedPoint(kTest, GetParam()), "Sender", GetParam(),
                               GetParam().architecture == "wormhole_b0" ? 512 : 1024);
}

class LoopbackLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, LoopbackLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& test) { return test.param; });

TEST_P(LoopbackLaws, LatencyGrowsWithTransactions) { test::expect_latency_grows_with_transactions(kTest, GetParam()); }

TEST_P(LoopbackLaws, CallsOfAnySizeWork) {
    test::expect_calls_of_any_size_work(kTest, GetParam(), test::combinations({{"stateful", {"0", "1"}}}));
}

TEST_P(LoopbackLaws, StatefulCallsAreIssuedFaster) { test::expect_stateful_calls_are_issued_faster(kTest, GetParam()); }

TEST_P(LoopbackLaws, EveryCoreNocAndVirtualChannelTakesTheSame) {
    const SweepPoint sweep_point{GetParam(), 5, 3001};
    for (const char* const noc : {"0", "1"}) {
        const double reference = FinishedPoint(kTest, sweep_point, {{"noc", noc}}).latency_cycles("Sender");
        for (const char* const core : {"0,0", "0,3", "6,6"}) {
            for (const char* const vc : {"0", "3"}) {
                const FinishedPoint point(kTest, sweep_point,
                                          {{"source", core}, {"noc", noc}, {"vc", vc}, {"riscv", noc}});
                EXPECT_EQ(point.report("Sender").data_fault, "") << core << " " << noc << " " << vc;
                EXPECT_EQ(std::to_string(point.report("Sender").noc), noc);
                EXPECT_EQ(point.latency_cycles("Sender"), reference);
            }
        }
    }
}

TEST_P(LoopbackLaws, TheDataCheckNoticesAWrongByteInAnyPacket) {
    for (const std::uint32_t size : {64U, 2048U, 20000U}) {
        test::expect_tampering_is_noticed(kTest, {GetParam(), 5, size});
    }
}

TEST_P(LoopbackLaws, TheDataCheckNoticesAWrongSource) {
    test::expect_a_wrong_source_is_noticed(kTest, GetParam(), kCore, kL1BufferAddress, 1);
}

TEST_P(LoopbackLaws, TheDataCheckNoticesAChangeAtTheDestination) {
    test::expect_a_change_at_the_destination_is_noticed(kTest, GetParam(), kCore, true, 1);
}

TEST(LoopbackParameters, AreCheckedAndNamed) {
    EXPECT_EQ(told_about(kTest, {{"source", "0,0,0"}}),
              "parameter source: expected the logical coordinates of a core, such as 0,0, found '0,0,0'");
    EXPECT_EQ(told_about(kTest, {{"riscv", "5"}}), "parameter riscv: expected a whole number from 0 to 1, found '5'");
    EXPECT_EQ(told_about(kTest, {{"noc", ""}}), "parameter noc: expected a whole number from 0 to 1, found ''");
    EXPECT_EQ(told_about(kTest, {{"vc", "1.0"}}), "parameter vc: expected a whole number from 0 to 3, found '1.0'");
    EXPECT_EQ(
        told_about(kTest, {{"destination", "1,1"}}),
        "parameter destination: this test has no such parameter; it has num_transactions, call_size, source, riscv, "
        "noc, vc, stateful");
    EXPECT_EQ(told_about(kTest, {}, {"wormhole_b0", 1, 0x98000}),
              "parameter call_size: 622592 bytes at 0xd8000 do not fit into L1, which ends at 0x16e000");
}

}  // namespace

}  // namespace nocbench::loopback
