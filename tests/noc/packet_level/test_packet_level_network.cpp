// Packet-level network, against the engine: equal without contention, close under contention, and independent of the
// windows. Invariants of any network are in test_network.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet_level/packet_level_network.h"
#include "device_model/noc/topology.h"
#include "tests/noc/random_traffic.h"
#include "tests/noc/traffic.h"
#include "tests/support/error_message.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using test::Mover;
using test::PlannedPacket;
using test::RandomPlans;
using test::run_traffic;
using test::TrafficOutcome;
using test::TrafficPlan;
using test::usual_parameters;

constexpr int kRandomPlans = test::thinned(120, 8);

TrafficPlan empty_plan(int noc) {
    TrafficPlan plan;
    plan.columns = 10;
    plan.rows = 12;
    plan.noc = noc;
    plan.parameters = usual_parameters();
    return plan;
}

void add_packets(TrafficPlan& plan, int number, const PlannedPacket& packet) {
    plan.packets.insert(plan.packets.end(), static_cast<std::size_t>(number), packet);
}

/// Adds the packet from a random tile to a random tile, possibly the same one.
void add_anywhere(TrafficPlan& plan, RandomPlans& random, PlannedPacket packet) {
    packet.source = static_cast<NodeIndex>(random.between(0, 119));
    packet.destination = static_cast<NodeIndex>(random.between(0, 119));
    plan.packets.push_back(packet);
}

/// Expects the last flit of every packet within `cycles` of its cycle in the engine.
void expect_close_tails(const TrafficPlan& plan, double cycles) {
    const TrafficOutcome fast = run_traffic(plan, Mover::packet_level);
    const TrafficOutcome exact = run_traffic(plan);
    for (std::size_t index = 0; index < plan.packets.size(); ++index) {
        EXPECT_NEAR(static_cast<double>(fast.packets[index].tail), static_cast<double>(exact.packets[index].tail),
                    cycles)
            << "packet " << index;
    }
}

class PacketLevelNoc : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Noc, PacketLevelNoc, testing::Range(0, 2));

TEST_P(PacketLevelNoc, LonePacketsTakeTheCyclesOfTheEngine) {
    TrafficPlan plan = empty_plan(GetParam());
    plan.source_ticks.assign(120, 10'230);
    plan.sink_ticks.assign(120, 10'210);
    RandomPlans random(1);
    Cycle ready = 0;
    for (const int flits : {1, 2, 3, 9, 17, 33, 100, 257}) {
        for (int number = 0; number < 30; ++number) {
            add_anywhere(plan, random,
                         {.flits = static_cast<std::uint16_t>(flits),
                          .is_static = number % 2 == 0,
                          .ready = ready,
                          .answer_flits = 1});
            plan.packets.back().virtual_channel = static_cast<std::uint8_t>(random.between(0, 3));
            ready += 1000;
        }
    }
    EXPECT_EQ(run_traffic(plan, Mover::packet_level), run_traffic(plan));
}

TEST_P(PacketLevelNoc, StreamsTakeTheCyclesOfTheEngine) {
    for (const int flits : {1, 8, 33, 257}) {
        SCOPED_TRACE(std::to_string(flits) + " flits");
        TrafficPlan plan = empty_plan(GetParam());
        plan.source_ticks.assign(120, 10'230);
        plan.sink_ticks.assign(120, 10'210);
        add_packets(plan, 20, {.source = 3, .destination = 87, .flits = static_cast<std::uint16_t>(flits)});
        expect_close_tails(plan, 1);  // fractions of cycles are rounded at different times if flits of two packets meet
    }
}

TEST_P(PacketLevelNoc, APacketIsSlowerWhileAnotherOneSharesItsOutput) {
    for (const int flits : {40, 120, 257}) {
        SCOPED_TRACE(std::to_string(flits) + " flits");
        TrafficPlan plan = empty_plan(GetParam());
        add_packets(plan, 1, {.source = 30, .destination = 34, .flits = 257, .virtual_channel = 0});
        add_packets(plan, 1,
                    {.source = 31,
                     .destination = 35,
                     .flits = static_cast<std::uint16_t>(flits),
                     .virtual_channel = 1,
                     .ready = 80});
        expect_close_tails(plan, 10);
    }
}

TEST_P(PacketLevelNoc, ASlowTileHoldsUpThePacketBackToItsSource) {
    TrafficPlan plan = empty_plan(GetParam());
    plan.source_ticks.assign(120, 10'000);
    plan.sink_ticks.assign(120, 10'000);
    plan.sink_ticks[14] = 40'000;
    add_packets(plan, 3, {.source = 10, .destination = 14, .flits = 257});
    const TrafficOutcome fast = run_traffic(plan, Mover::packet_level);
    const TrafficOutcome exact = run_traffic(plan);
    for (std::size_t index = 0; index < plan.packets.size(); ++index) {
        EXPECT_NEAR(static_cast<double>(fast.packets[index].finished),
                    static_cast<double>(exact.packets[index].finished), 50)
            << "packet " << index;
    }
}

TEST_P(PacketLevelNoc, HeadsWaitForTheCreditsOfPacketsAhead) {
    TrafficPlan plan = empty_plan(GetParam());
    const int way = GetParam() == 0 ? 2 : -2;
    for (int node = 3; node < 7; ++node) {
        add_packets(plan, 1,
                    {.source = static_cast<NodeIndex>(node),
                     .destination = static_cast<NodeIndex>(node + way),
                     .flits = 16,
                     .virtual_channel = 1});
    }
    EXPECT_EQ(run_traffic(plan, Mover::packet_level), run_traffic(plan));
}

TEST_P(PacketLevelNoc, PacketsThatWaitShareThePool) {
    constexpr Cycle kEnd = 3000;
    for (const int pool : {6, 20, 48}) {
        TrafficPlan plan = empty_plan(GetParam());
        plan.parameters.shared_flits_per_input_port = pool;
        plan.blockings = {{.node = 44, .begin = 0, .end = kEnd}};
        for (int number = 0; number < 40; ++number) {
            add_packets(plan, 1,
                        {.source = 40,
                         .destination = 44,
                         .flits = 20,
                         .virtual_channel = static_cast<std::uint8_t>(number % 4)});
        }
        const auto waits = [](const test::PacketTimes& packet) { return packet.finished >= kEnd; };
        EXPECT_NEAR(static_cast<double>(std::ranges::count_if(run_traffic(plan, Mover::packet_level).packets, waits)),
                    static_cast<double>(std::ranges::count_if(run_traffic(plan).packets, waits)), 2)
            << "a pool of " << pool << " flits";
    }
}

TEST_P(PacketLevelNoc, FlitsThatCameLateShareAnOutputThatIsSharedLater) {
    TrafficPlan plan = empty_plan(GetParam());
    const bool is_first_noc = GetParam() == 0;
    const auto node = [&](int hops) { return static_cast<NodeIndex>(is_first_noc ? hops : 9 - hops); };
    add_packets(plan, 1, {.source = node(1), .destination = node(8), .flits = 257, .virtual_channel = 0});
    // One packet takes half of the long packet's first link, and later another packet takes half of its last link.
    add_packets(plan, 1, {.source = node(0), .destination = node(2), .flits = 90, .virtual_channel = 1});
    add_packets(plan, 1, {.source = node(6), .destination = node(7), .flits = 257, .virtual_channel = 2, .ready = 260});
    const TrafficOutcome fast = run_traffic(plan, Mover::packet_level);
    const TrafficOutcome exact = run_traffic(plan);
    EXPECT_NEAR(static_cast<double>(fast.packets[0].tail), static_cast<double>(exact.packets[0].tail), 25);
}

TEST_P(PacketLevelNoc, MeteredTilesTakeTheFlitsOfLonePacketsInTheCyclesOfTheEngine) {
    TrafficPlan plan = empty_plan(GetParam());
    plan.metered_nodes = {40, 41};
    for (int number = 0; number < 20; ++number) {
        PlannedPacket packet;
        packet.source = static_cast<NodeIndex>(5 * number);
        packet.destination = static_cast<NodeIndex>(40 + number % 2);
        packet.flits = static_cast<std::uint16_t>(1 + 13 * number);
        packet.ready = Cycle{1000} * number;
        packet.answer_flits = 1;
        plan.packets.push_back(packet);
    }
    EXPECT_EQ(run_traffic(plan, Mover::packet_level), run_traffic(plan));
}

TEST_P(PacketLevelNoc, PacketsForATileThatTakesNoneFillTheBuffersAndThenWaitWhereTheyAreFrom) {
    constexpr Cycle kEnd = 3000;
    for (const int flits : {1, 2, 5, 9, 33}) {
        TrafficPlan plan = empty_plan(GetParam());
        // Buffers too small for all flits on the route.
        plan.parameters.shared_flits_per_input_port = 3;
        plan.parameters.shared_flits_per_virtual_channel_max = 3;
        plan.blockings = {{.node = 44, .begin = 0, .end = kEnd}};
        add_packets(plan, 60, {.source = 40, .destination = 44, .flits = static_cast<std::uint16_t>(flits)});
        const TrafficOutcome fast = run_traffic(plan, Mover::packet_level);
        const TrafficOutcome exact = run_traffic(plan);
        EXPECT_EQ(fast.packets.front().head, exact.packets.front().head) << flits << " flits";
        const auto waits = [](const test::PacketTimes& packet) { return packet.finished >= kEnd; };
        EXPECT_NEAR(static_cast<double>(std::ranges::count_if(fast.packets, waits)),
                    static_cast<double>(std::ranges::count_if(exact.packets, waits)), 4)
            << flits << " flits";
    }
}

/// Ends of the nodes' last packets in cycles: their sum and maximum.
struct Ends {
    double sum = 0;
    double last = 0;
};

Ends ends_of(const TrafficOutcome& outcome, const TrafficPlan& plan) {
    std::vector<Cycle> of_node(static_cast<std::size_t>(test::topology_of(plan).num_nodes));
    for (std::size_t index = 0; index < plan.packets.size(); ++index) {
        Cycle& end = of_node[plan.packets[index].source];
        end = std::max(end, outcome.packets[index].tail);
    }
    Ends ends;
    for (const Cycle end : of_node) {
        ends.sum += static_cast<double>(end);
        ends.last = std::max(ends.last, static_cast<double>(end));
    }
    return ends;
}

TEST(PacketLevelNetwork, IsCloseToTheEngineWhereEveryCoreSendsToEveryOther) {
    constexpr int kRuns = test::thinned(12, 2);
    double sums = 0;
    double lasts = 0;
    for (int number = 0; number < kRuns; ++number) {
        TrafficPlan plan = empty_plan(number % 2);
        plan.source_ticks.assign(120, 10'230);
        plan.sink_ticks.assign(120, 10'210);
        RandomPlans random(static_cast<std::uint32_t>(number));
        for (int index = 0; index < 1200; ++index) {
            add_anywhere(plan, random, {.virtual_channel = 1, .answer_flits = 1});
            plan.packets.back().flits = static_cast<std::uint16_t>(random.between(33, 257));
        }
        const Ends exact = ends_of(run_traffic(plan), plan);
        const Ends fast = ends_of(run_traffic(plan, Mover::packet_level), plan);
        EXPECT_NEAR(fast.sum / exact.sum, 1, 0.12) << "run " << number;
        EXPECT_NEAR(fast.last / exact.last, 1, 0.2) << "run " << number;
        sums += fast.sum / exact.sum;
        lasts += fast.last / exact.last;
    }
    EXPECT_NEAR(sums / kRuns, 1, 0.06);
    EXPECT_NEAR(lasts / kRuns, 1, 0.04);
}

/// Returns the ratio of the last packet's end in the packet-level network to that in the engine.
double last_to_last(const TrafficPlan& plan) {
    return ends_of(run_traffic(plan, Mover::packet_level), plan).last / ends_of(run_traffic(plan), plan).last;
}

TEST(PacketLevelNetwork, APortPassesAsManyFlitsAsInTheEngine) {
    constexpr NodeIndex kDestination = 55;
    // Packets that have and have not crossed the dateline share a link; or packets share two links.
    for (const std::vector<NodeIndex>& sources :
         {std::vector<NodeIndex>{45, 105}, {45, 85, 105}, {58, 53}, {58, 53, 45}, {43, 52, 34}}) {
        for (const int flits : {1, 4, 24, 100, 257}) {
            TrafficPlan plan = empty_plan(0);
            for (const NodeIndex source : sources) {
                add_packets(plan, 12,
                            {.source = source,
                             .destination = kDestination,
                             .flits = static_cast<std::uint16_t>(flits),
                             .virtual_channel = 1});
            }
            EXPECT_NEAR(last_to_last(plan), 1, 0.03) << sources.size() << " sources, " << flits << " flits";
        }
    }
}

TEST(PacketLevelNetwork, IsCloseToTheEngineOnMeshesAndToriOfAnyBuffers) {
    double sum = 0;
    for (int number = 0; number < kRandomPlans; ++number) {
        SCOPED_TRACE("case " + std::to_string(number));
        const TrafficPlan plan = RandomPlans(static_cast<std::uint32_t>(number)).two_way();
        const TrafficOutcome exact = run_traffic(plan);
        const TrafficOutcome fast = run_traffic(plan, Mover::packet_level);
        ASSERT_FALSE(fast.ran_out_of_time);
        ASSERT_EQ(fast.packets_in_flight, 0U);
        ASSERT_EQ(fast.flits_sent, exact.flits_sent);
        const double ratio = ends_of(fast, plan).sum / ends_of(exact, plan).sum;
        EXPECT_NEAR(ratio, 1, 0.5);
        sum += ratio;
    }
    EXPECT_NEAR(sum / kRandomPlans, 1, 0.03);
}

TEST(PacketLevelNetwork, SmallBuffersLimitAPacket) {
    for (const auto& [of_link, of_tile] : std::vector<std::pair<int, int>>{{1, 8}, {2, 8}, {5, 8}, {16, 1}, {16, 3}}) {
        TrafficPlan plan;
        plan.topology = mesh(6, 1);
        plan.parameters = usual_parameters();
        plan.parameters.private_flits_per_virtual_channel = of_link;
        plan.parameters.shared_flits_per_input_port = 0;
        plan.parameters.shared_flits_per_virtual_channel_max = 0;
        plan.parameters.injection_buffer_flits = of_tile;
        plan.parameters.link_flits_on_end_max = NetworkParameters::kNeverIdles;
        plan.parameters.software_virtual_channels = 1;
        plan.parameters.first_response_virtual_channel = 1;
        plan.parameters.dynamic_group = 1;
        plan.parameters.dynamic_response_group = 1;
        add_packets(plan, 1, {.source = 0, .destination = 4, .flits = 257});
        EXPECT_NEAR(last_to_last(plan), 1, 0.01) << "buffers of " << of_link << " and " << of_tile << " flits";
    }
}

/// The receiving tile is slower than the link. The buffers of its router cannot hold all waiting flits.
TEST(PacketLevelNetwork, FourVirtualChannelsOfATileUseTheWholeLink) {
    for (const int flits : {65, 257}) {
        for (const int hops : {1, 4, 6}) {
            TrafficPlan plan = empty_plan(0);
            plan.parameters.shared_flits_per_input_port = 45;
            plan.sink_ticks.assign(120, 10'210);
            for (int number = 0; number < 192; ++number) {
                plan.packets.push_back({.source = 10,
                                        .destination = static_cast<NodeIndex>(10 + hops),
                                        .flits = static_cast<std::uint16_t>(flits),
                                        .virtual_channel = static_cast<std::uint8_t>(number % 4)});
            }
            EXPECT_NEAR(last_to_last(plan), 1, 0.1) << flits << " flits, " << hops << " hops";
        }
    }
}

/// Three streams of single flits and one long packet use one port to a tile.
TEST(PacketLevelNetwork, PacketsOfOneFlitTakeTurnsWithALongOneAndWithEachOther) {
    TrafficPlan plan = empty_plan(0);
    add_packets(plan, 1, {.source = 50, .destination = 55, .flits = 257, .virtual_channel = 0});
    for (const std::uint8_t channel : std::vector<std::uint8_t>{1, 2, 3}) {
        add_packets(plan, 60, {.source = 54, .destination = 55, .flits = 1, .virtual_channel = channel, .ready = 60});
    }
    expect_close_tails(plan, 40);
}

/// Compares the last of many answers, which cross each other all over a chip.
TEST(PacketLevelNetwork, PacketsOfOneFlitThatWaitTakeTurns) {
    constexpr int kRuns = 6;
    double sum = 0;
    for (int number = 0; number < kRuns; ++number) {
        TrafficPlan plan = empty_plan(number % 2);
        RandomPlans random(static_cast<std::uint32_t>(number));
        for (int index = 0; index < 3000; ++index) {
            add_anywhere(plan, random, {.flits = 1, .virtual_channel = 1, .answer_flits = 1});
        }
        sum += last_to_last(plan);
    }
    EXPECT_NEAR(sum / kRuns, 1, 0.04);
}

TEST(PacketLevelNetwork, AnswersTakeTurnsOfALongPacketOnTheirWay) {
    constexpr int kAnswers = 20;
    constexpr Cycle kInterval = 13;  // so that each answer has left the last link before the next one is there
    TrafficPlan plan = empty_plan(0);
    add_packets(plan, 1, {.source = 52, .destination = 56, .flits = 257, .ready = 100});
    for (int number = 0; number < kAnswers; ++number) {
        add_packets(plan, 1,
                    {.source = 57,
                     .destination = 51,
                     .virtual_channel = 1,
                     .ready = 50 + number * kInterval,
                     .answer_flits = 1});
    }
    const auto delay = [&plan](Mover mover) {
        TrafficPlan alone = plan;
        alone.packets.resize(1);
        return run_traffic(plan, mover).packets.front().tail - run_traffic(alone, mover).packets.front().tail;
    };
    const Cycle exact = delay(Mover::engine);
    EXPECT_GT(exact, kAnswers / 2);
    EXPECT_NEAR(static_cast<double>(delay(Mover::packet_level)), static_cast<double>(exact), kAnswers / 5.0);
}

TEST(PacketLevelNetwork, AnswersTakeTurnsOfTheFlitsOfAMulticast) {
    TrafficPlan plan = empty_plan(0);
    std::vector<NodeIndex> receivers;
    for (int row = 1; row < 6; ++row) {
        for (int column = 2; column < 7; ++column) {
            receivers.push_back(static_cast<NodeIndex>(10 * row + column));
        }
    }
    plan.trees = {test::plan_tree(plan, 12, receivers, {2, 5})};
    for (int number = 0; number < 20; ++number) {
        plan.packets.push_back(
            {.source = 12, .flits = 33, .virtual_channel = 4, .answer_flits = 1, .tree = 0, .linked = number < 19});
    }
    EXPECT_NEAR(last_to_last(plan), 1, 0.05);
}

TEST(PacketLevelNetwork, IsCloseToTheEngineInTrafficThatUsesUpThePool) {
    for (const int flits : {8, 24, 100}) {
        double sum = 0;
        constexpr int kRuns = 4;
        for (int number = 0; number < kRuns; ++number) {
            TrafficPlan plan = empty_plan(number % 2);
            RandomPlans random(static_cast<std::uint32_t>(number));
            for (int index = 0; index < 1000; ++index) {
                add_anywhere(plan, random, {.flits = static_cast<std::uint16_t>(flits)});
                plan.packets.back().virtual_channel = static_cast<std::uint8_t>(random.between(0, 3));
            }
            sum += last_to_last(plan);
        }
        EXPECT_NEAR(sum / kRuns, 1, 0.1) << flits << " flits";
    }
}

TEST(PacketLevelNetwork, IsCloseToTheEngineInTrafficOfShortPackets) {
    for (const int flits : {1, 2, 4, 10, 16}) {
        TrafficPlan plan = empty_plan(0);
        RandomPlans random(static_cast<std::uint32_t>(flits));
        for (int index = 0; index < 2000; ++index) {
            add_anywhere(plan, random,
                         {.flits = static_cast<std::uint16_t>(flits), .virtual_channel = 1, .answer_flits = 1});
        }
        EXPECT_NEAR(last_to_last(plan), 1, 0.1) << flits << " flits";
    }
}

TEST(PacketLevelNetwork, TheLengthOfAWindowChangesNothing) {
    for (int number = 0; number < kRandomPlans; ++number) {
        SCOPED_TRACE("case " + std::to_string(number));
        RandomPlans random(static_cast<std::uint32_t>(number));
        TrafficPlan plan = number % 2 == 0 ? random.plan() : random.plan_with_multicasts();
        plan.parameters.window_cycles = 1;
        const TrafficOutcome cycle_by_cycle = run_traffic(plan, Mover::packet_level);
        for (const Cycle window : {3, 8}) {
            plan.parameters.window_cycles = window;
            ASSERT_EQ(run_traffic(plan, Mover::packet_level), cycle_by_cycle) << "windows of " << window << " cycles";
        }
    }
}

/// Nodes that poll act in another order than nodes that are notified. The order decides between packets that arrive in
/// one cycle, so times differ slightly.
TEST(PacketLevelNetwork, NodesAreToldOfAllThatTheyCanStart) {
    const auto sum_of_starts = [](const TrafficOutcome& outcome) {
        double sum = 0;
        for (const test::PacketTimes& packet : outcome.packets) {
            sum += static_cast<double>(packet.started);
        }
        return sum;
    };
    for (int number = 0; number < kRandomPlans; ++number) {
        SCOPED_TRACE("case " + std::to_string(number));
        RandomPlans random(static_cast<std::uint32_t>(number));
        TrafficPlan plan = number % 2 == 0 ? random.plan() : random.plan_with_multicasts();
        const double told = sum_of_starts(run_traffic(plan, Mover::packet_level));
        plan.polls = true;
        ASSERT_NEAR(sum_of_starts(run_traffic(plan, Mover::packet_level)) / told, 1, 0.02);
    }
}

TEST(PacketLevelNetwork, RefusesOutputsThatLoseTimeWhenTheyChangeHands) {
    NetworkParameters parameters = usual_parameters();
    parameters.outputs.turn_cycles = 1;
    TrafficPlan plan = empty_plan(0);
    plan.parameters = parameters;
    EXPECT_EQ(test::error_message([&] { run_traffic(plan, Mover::packet_level); }),
              "outputs of a packet-level network: expected turn_cycles 0, release_cycles 1 and turns that begin after "
              "the last owner, found turn_cycles 1, release_cycles 1 and turns that begin after the last owner");
}

TEST(PacketLevelNetwork, RefusesLatenciesThatItDoesNotReach) {
    TrafficPlan plan = empty_plan(0);
    plan.parameters.credit_return_cycles = 256;
    EXPECT_EQ(test::error_message([&] { run_traffic(plan, Mover::packet_level); }),
              "latencies of a packet-level network: expected fewer than 256 cycles, found 256");
}

TEST(PacketLevelNetwork, RefusesMoreVirtualChannelsThanARouterOfFivePortsCanHave) {
    TrafficPlan plan = RandomPlans(1).two_way();
    plan.topology = mesh(3, 3);
    plan.parameters.software_virtual_channels = 13;
    EXPECT_EQ(test::error_message([&] { run_traffic(plan, Mover::packet_level); }),
              "virtual channels of a packet-level network: expected at most 12 at routers of 5 ports, found 13");
}

}  // namespace

}  // namespace nocbench
