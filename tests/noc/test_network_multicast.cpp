// Multicasts in one network without other parts: trees are reserved and released, packets move along them in lock-step,
// and contending trees alternate. Random traffic with multicasts is in test_network.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "device_model/noc/network.h"
#include "tests/noc/random_traffic.h"
#include "tests/noc/traffic.h"

namespace nocbench {

namespace {

using test::Ejection;
using test::Mover;
using test::PacketTimes;
using test::plan_tree;
using test::PlannedPacket;
using test::PlannedTree;
using test::RandomPlans;
using test::run_traffic;
using test::TrafficOutcome;
using test::TrafficPlan;
using test::usual_parameters;

TrafficPlan torus(int columns, int rows, int noc) {
    TrafficPlan plan;
    plan.columns = columns;
    plan.rows = rows;
    plan.noc = noc;
    plan.parameters = usual_parameters();
    return plan;
}

NodeIndex node_at(const TrafficPlan& plan, int x, int y) { return static_cast<NodeIndex>(y * plan.columns + x); }

/// Returns the tiles of a rectangle from (first_x, first_y) on, in link direction and around the edges.
std::vector<NodeIndex> tiles(const TrafficPlan& plan, int first_x, int first_y, int columns, int rows) {
    const int step = plan.noc == 0 ? 1 : plan.columns * plan.rows - 1;
    std::vector<NodeIndex> nodes;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            nodes.push_back(
                node_at(plan, (first_x + step * column) % plan.columns, (first_y + step * row) % plan.rows));
        }
    }
    return nodes;
}

PlannedPacket multicast(const TrafficPlan& plan, int tree, std::uint16_t flits, Cycle ready = 0, bool linked = false) {
    PlannedPacket packet;
    packet.tree = tree;
    packet.source = plan.trees.at(static_cast<std::size_t>(tree)).source;
    packet.flits = flits;
    packet.virtual_channel = kFirstBroadcastVirtualChannel;
    packet.ready = ready;
    packet.linked = linked;
    return packet;
}

Cycle least_reservation_cycles(const TrafficPlan& plan, const PlannedTree& tree) {
    const Cycle per_hop = plan.parameters.hop_cycles + plan.parameters.reservation_reply_cycles;
    return tree.depth() * per_hop + tree.grant_cycles;
}

Cycle latest_tail(const TrafficOutcome& outcome) {
    Cycle latest = 0;
    for (const PacketTimes& times : outcome.packets) {
        for (std::size_t number = 0; number <= times.further_ejections.size(); ++number) {
            latest = std::max(latest, times.at(number).tail);
        }
    }
    return latest;
}

TEST(NetworkMulticast, ALonePacketTakesTheTimeOfItsReservationAndOfEachWay) {
    for (int number = 0; number < 200; ++number) {
        SCOPED_TRACE(number);
        RandomPlans random(static_cast<std::uint32_t>(number));
        TrafficPlan plan = torus(number % 4 < 2 ? 10 : 17, 12, number % 2);
        plan.trees = {random.tree(plan)};
        plan.packets = {multicast(plan, 0, static_cast<std::uint16_t>(random.between(1, 257)), random.between(0, 99))};
        const PacketTimes times = run_traffic(plan).packets[0];
        const PlannedTree& tree = plan.trees[0];
        ASSERT_EQ(times.path_requested, times.started + plan.parameters.injection_cycles);
        ASSERT_EQ(times.path_reserved, times.path_requested + least_reservation_cycles(plan, tree));
        for (std::size_t receiver = 0; receiver < tree.receivers.size(); ++receiver) {
            const Ejection& ejection = times.at(receiver);
            const auto hops = static_cast<Cycle>(tree.ways[receiver].size()) - 1;
            ASSERT_EQ(ejection.head, times.path_reserved + hops * plan.parameters.hop_cycles);
            ASSERT_EQ(ejection.tail, ejection.head + plan.packets[0].flits - 1);
        }
    }
}

TEST(NetworkMulticast, EachPacketThatIsNotLinkedReservesItsTreeAfterTheTailBefore) {
    for (const int noc : {0, 1}) {
        TrafficPlan plan = torus(10, 12, noc);
        plan.trees = {plan_tree(plan, node_at(plan, 2, 3), tiles(plan, 4, 5, 3, 2), {4, 3})};
        plan.trees[0].grant_cycles = 3;
        for (int count = 0; count < 4; ++count) {
            plan.packets.push_back(multicast(plan, 0, 5));
        }
        const std::vector<PacketTimes> times = run_traffic(plan).packets;
        // The header leaves in the cycle in which the path is reserved.
        const Cycle interval = least_reservation_cycles(plan, plan.trees[0]) + plan.packets[0].flits;
        for (std::size_t index = 1; index < times.size(); ++index) {
            EXPECT_EQ(times[index].head - times[index - 1].head, interval);
        }
    }
}

TEST(NetworkMulticast, LinkedPacketsReserveOnceAndFollowWithoutAGap) {
    for (const int noc : {0, 1}) {
        TrafficPlan plan = torus(10, 12, noc);
        plan.trees = {plan_tree(plan, node_at(plan, 2, 3), tiles(plan, 1, 2, 4, 3), {1, 4})};
        for (const bool linked : {true, true, true, false, false}) {
            plan.packets.push_back(multicast(plan, 0, 40, 0, linked));
        }
        const std::vector<PacketTimes> times = run_traffic(plan).packets;
        EXPECT_NE(times[0].path_reserved, kNever);
        for (std::size_t index = 1; index < 4; ++index) {
            EXPECT_EQ(times[index].path_reserved, kNever);
            EXPECT_EQ(times[index].head, times[index - 1].tail + 1);
        }
        EXPECT_EQ(times[4].head, times[3].tail + 1 + least_reservation_cycles(plan, plan.trees[0]));
    }
}

/// Virtual channels and credits are restored, so another tree is reserved in the minimum time.
TEST(NetworkMulticast, WhatWasReservedIsGivenBack) {
    for (int number = 0; number < 150; ++number) {
        SCOPED_TRACE(number);
        TrafficPlan plan = RandomPlans(static_cast<std::uint32_t>(7000 + number)).plan_with_multicasts();
        plan.blockings.clear();
        const TrafficOutcome crowded = run_traffic(plan);
        constexpr Cycle kLongerThanAnyPacket = 5000;
        Cycle ready = latest_tail(crowded) + kLongerThanAnyPacket;
        const std::size_t num_before = crowded.packets.size();
        std::vector<PlannedPacket> probes;
        for (int tree = 0; tree < std::ssize(plan.trees); ++tree) {
            for (const int channel : {4, 5}) {
                probes.push_back(multicast(plan, tree, 3, ready));
                probes.back().virtual_channel = static_cast<std::uint8_t>(channel);
                ready += kLongerThanAnyPacket;
            }
        }
        const std::size_t num_planned = plan.packets.size();
        plan.packets.insert(plan.packets.end(), probes.begin(), probes.end());
        const TrafficOutcome outcome = run_traffic(plan);
        ASSERT_EQ(outcome.packets.size(), num_before + probes.size());
        for (std::size_t probe = 0; probe < probes.size(); ++probe) {
            const PacketTimes& times = outcome.packets[num_planned + probe];
            ASSERT_EQ(times.path_reserved - times.path_requested,
                      least_reservation_cycles(plan, plan.trees[static_cast<std::size_t>(probes[probe].tree)]));
        }
    }
}

TEST(NetworkMulticast, AReceiverThatTakesNothingHoldsUpTheOthersOnceTheBuffersBetweenAreFull) {
    // Along a row; the last of three receivers is blocked for some time.
    TrafficPlan plan = torus(6, 2, 0);
    plan.trees = {plan_tree(plan, 0, {1, 2, 3}, {1, 3})};
    constexpr Cycle kLong = 5000;
    plan.blockings = {{3, 0, kLong}};
    const int buffer =
        plan.parameters.private_flits_per_virtual_channel + plan.parameters.shared_flits_per_virtual_channel_max;
    for (int flits = 1; flits <= 3 * buffer; ++flits) {
        plan.packets = {multicast(plan, 0, static_cast<std::uint16_t>(flits))};
        const PacketTimes times = run_traffic(plan).packets[0];
        EXPECT_EQ(times.at(0).tail < kLong, flits <= 2 * buffer) << flits;
        EXPECT_EQ(times.at(1).tail < kLong, flits <= buffer) << flits;
        EXPECT_EQ(times.at(2).head, kLong) << flits;
    }
}

TEST(NetworkMulticast, TheSlowestReceiverSetsTheRate) {
    TrafficPlan plan = torus(10, 12, 0);
    plan.trees = {plan_tree(plan, node_at(plan, 1, 1), tiles(plan, 1, 1, 4, 4), {1, 4})};
    plan.source_ticks.assign(120, kTicksPerCycle);
    plan.sink_ticks.assign(120, kTicksPerCycle);
    constexpr Tick kSlow = 3 * kTicksPerCycle;
    plan.sink_ticks[node_at(plan, 3, 3)] = kSlow;
    plan.packets = {multicast(plan, 0, 257)};
    const PacketTimes times = run_traffic(plan).packets[0];
    const int buffers = 16 * static_cast<int>(plan.trees[0].depth());  // maximum number of flits in transit
    for (std::size_t receiver = 0; receiver < plan.trees[0].receivers.size(); ++receiver) {
        EXPECT_GT(times.at(receiver).tail - times.at(receiver).head, 3 * (257 - 1 - buffers));
        EXPECT_LE(times.at(receiver).tail - times.at(receiver).head, 3 * 257);
    }
}

/// Returns long packets along a row: a multicast to all its tiles, and `num_unicasts` on separate virtual channels from
/// the multicast's source to the last tile.
TrafficPlan beside_unicasts(int num_unicasts) {
    TrafficPlan plan = torus(8, 2, 0);
    plan.trees = {plan_tree(plan, 1, {2, 3, 4, 5, 6}, {2, 5})};
    plan.packets = {multicast(plan, 0, 250)};
    for (int number = 0; number < num_unicasts; ++number) {
        // From other sources, so that unicasts contend with the multicast only from tile 3 on.
        PlannedPacket unicast;
        unicast.source = node_at(plan, 3, 0);
        unicast.destination = node_at(plan, 7, 0);
        unicast.flits = 250;
        unicast.virtual_channel = static_cast<std::uint8_t>(number);
        plan.packets.push_back(unicast);
    }
    return plan;
}

TEST(NetworkMulticast, UnicastsOnTheSameLinksTakeTurnsWithIt) {
    const TrafficOutcome alone = run_traffic(beside_unicasts(0));
    const Cycle duration_alone = alone.packets[0].tail - alone.packets[0].head;
    for (const int num_unicasts : {1, 2, 4}) {
        const TrafficOutcome outcome = run_traffic(beside_unicasts(num_unicasts));
        const PacketTimes& times = outcome.packets[0];
        EXPECT_GT(times.tail - times.head, duration_alone) << num_unicasts;
        // The link alternates between packets.
        EXPECT_LT(times.tail - times.head, (num_unicasts + 1) * duration_alone) << num_unicasts;
        EXPECT_LT(latest_tail(outcome), (num_unicasts + 1) * duration_alone + 500) << num_unicasts;
    }
}

TEST(NetworkMulticast, UnicastsPassATreeThatIsReservedAndIdle) {
    // Chain whose second packet is sent long after the first.
    TrafficPlan plan = torus(8, 2, 0);
    plan.trees = {plan_tree(plan, 0, {1, 2, 3, 4, 5}, {1, 5})};
    constexpr Cycle kLong = 5000;
    plan.packets = {multicast(plan, 0, 10, 0, true), multicast(plan, 0, 10, kLong)};
    PlannedPacket unicast;
    unicast.source = 1;
    unicast.destination = 4;
    unicast.flits = 50;
    unicast.ready = kLong / 2;
    plan.packets.push_back(unicast);
    const TrafficOutcome outcome = run_traffic(plan);
    const Cycle way = plan.parameters.injection_cycles + 3 * plan.parameters.hop_cycles;
    EXPECT_EQ(outcome.packets[2].head, kLong / 2 + way);
    EXPECT_EQ(outcome.packets[2].tail, kLong / 2 + way + 49);
    EXPECT_EQ(outcome.packets[1].path_requested, kNever);
    EXPECT_EQ(outcome.packets[1].head, kLong + plan.parameters.injection_cycles + plan.parameters.hop_cycles);
}

TEST(NetworkMulticast, TreesThatShareNoOutputDoNotDisturbEachOther) {
    // The trees cross in a router, one along x and one along y.
    TrafficPlan plan = torus(10, 12, 0);
    plan.trees = {plan_tree(plan, node_at(plan, 1, 5), {node_at(plan, 8, 5)}, {8, 1}),
                  plan_tree(plan, node_at(plan, 5, 1), {node_at(plan, 5, 9)}, {5, 1})};
    plan.packets = {multicast(plan, 0, 100), multicast(plan, 1, 100)};
    const TrafficOutcome outcome = run_traffic(plan);
    for (std::size_t index = 0; index < 2; ++index) {
        const PacketTimes& times = outcome.packets[index];
        EXPECT_EQ(times.path_reserved - times.path_requested, least_reservation_cycles(plan, plan.trees[index]));
        EXPECT_EQ(times.tail - times.head, 99);
    }
}

TEST(NetworkMulticast, TreesOnDifferentVirtualChannelsShareTheirLinks) {
    TrafficPlan plan = torus(10, 12, 0);
    plan.trees = {plan_tree(plan, node_at(plan, 1, 5), tiles(plan, 3, 5, 4, 2), {3, 4}),
                  plan_tree(plan, node_at(plan, 2, 5), tiles(plan, 3, 5, 4, 2), {3, 4})};
    plan.packets = {multicast(plan, 0, 200), multicast(plan, 1, 200)};
    plan.packets[1].virtual_channel = 5;
    const TrafficOutcome outcome = run_traffic(plan);
    for (std::size_t index = 0; index < 2; ++index) {
        const PacketTimes& times = outcome.packets[index];
        EXPECT_LT(times.path_reserved - times.path_requested, least_reservation_cycles(plan, plan.trees[index]) + 50);
        EXPECT_LT(times.head, outcome.packets[1 - index].tail);
        EXPECT_LT(times.tail - times.head, 2 * 200 + 40);
    }
}

TEST(NetworkMulticast, TreesThatMeetTakeTurns) {
    // All pairs of sources and rectangles that overlap, at all relevant relative times.
    RandomPlans random(11);
    int num_failed = 0;
    for (int number = 0; number < 300; ++number) {
        SCOPED_TRACE(number);
        TrafficPlan plan = torus(6, 5, number % 2);
        plan.trees = {random.tree(plan), random.tree(plan)};
        plan.packets = {multicast(plan, 0, 20), multicast(plan, 1, 20, random.between(0, 150))};
        const TrafficOutcome outcome = run_traffic(plan);
        ASSERT_FALSE(outcome.ran_out_of_time);
        ASSERT_EQ(outcome.packets_in_flight, 0U);
        std::vector<std::set<std::pair<NodeIndex, int>>> outputs(2);
        for (std::size_t tree = 0; tree < 2; ++tree) {
            for (const std::vector<NodeIndex>& way : plan.trees[tree].ways) {
                for (std::size_t step = 0; step < way.size(); ++step) {
                    outputs[tree].emplace(way[step], test::port_on_way(plan, way, step));
                }
            }
        }
        const bool share =
            std::ranges::any_of(outputs[0], [&](const auto& output) { return outputs[1].contains(output); });
        for (std::size_t tree = 0; tree < 2; ++tree) {
            const PacketTimes& times = outcome.packets[tree];
            const bool has_failed =
                times.path_reserved - times.path_requested != least_reservation_cycles(plan, plan.trees[tree]);
            ASSERT_TRUE(share || !has_failed);
            num_failed += has_failed ? 1 : 0;
        }
    }
    EXPECT_GT(num_failed, 50);  // otherwise nothing was tested
}

TEST(NetworkMulticast, EveryoneToEveryoneFinishes) {
    for (const int noc : {0, 1}) {
        TrafficPlan plan = torus(6, 5, noc);
        for (int source = 0; source < 30; ++source) {
            plan.trees.push_back(plan_tree(plan, static_cast<NodeIndex>(source), tiles(plan, 0, 0, 6, 5), {0, 6}));
            for (int count = 0; count < 3; ++count) {
                plan.packets.push_back(multicast(plan, source, 9, 0, count == 0));
                plan.packets.back().answer_flits = 1;
            }
        }
        const TrafficOutcome outcome = run_traffic(plan);
        EXPECT_FALSE(outcome.ran_out_of_time);
        EXPECT_EQ(outcome.packets_in_flight, 0U);
        EXPECT_EQ(run_traffic(plan), outcome);
        EXPECT_EQ(run_traffic(plan, Mover::engine_without_accelerators), outcome);
    }
}

// Long packets through otherwise idle routers, the case that accelerators are made for.

TEST(NetworkMulticast, AcceleratorsChangeNothingForLongChains) {
    for (int number = 0; number < 60; ++number) {
        SCOPED_TRACE(number);
        RandomPlans random(static_cast<std::uint32_t>(9000 + number));
        TrafficPlan plan = torus(8, 6, number % 2);
        plan.source_ticks.assign(48, random.one_of<Tick>({10'000, 10'205, 11'080}));
        plan.sink_ticks.assign(48, random.one_of<Tick>({10'000, 10'370, 15'000}));
        const int num_trees = random.between(1, 3);
        for (int tree = 0; tree < num_trees; ++tree) {
            plan.trees.push_back(random.tree(plan));
            const Cycle ready = random.between(0, 3000);
            const int length = random.between(1, 6);
            for (int count = 1; count <= length; ++count) {
                plan.packets.push_back(
                    multicast(plan, tree, static_cast<std::uint16_t>(random.between(200, 257)), ready, count < length));
                plan.packets.back().answer_flits = random.between(0, 3) != 0 ? 1 : 0;
            }
        }
        for (int unicast = random.between(0, 5); unicast > 0; --unicast) {
            PlannedPacket packet;
            packet.source = static_cast<NodeIndex>(random.between(0, 47));
            packet.destination = static_cast<NodeIndex>(random.between(0, 47));
            packet.flits = static_cast<std::uint16_t>(random.between(200, 257));
            packet.ready = random.between(0, 3000);
            plan.packets.push_back(packet);
        }
        ASSERT_EQ(run_traffic(plan), run_traffic(plan, Mover::engine_without_accelerators));
    }
}

}  // namespace

}  // namespace nocbench
