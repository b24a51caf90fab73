// Network without other parts: nothing is lost, latencies are those of the route, virtual channels keep packets in
// order and separate, and accelerated runs are equal to the cycle. Multicasts are in test_network_multicast.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/stepping_order.h"
#include "tests/noc/random_traffic.h"
#include "tests/noc/traffic.h"
#include "tests/noc/traffic_difference.h"
#include "tests/support/error_message.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using test::Ejection;
using test::error_message;
using test::Mover;
using test::PacketTimes;
using test::PlannedPacket;
using test::PlannedTree;
using test::RandomPlans;
using test::run_traffic;
using test::TrafficOutcome;
using test::TrafficPlan;
using test::usual_parameters;
using test::way;

// Random traffic with and without multicasts. Cases are distributed over a few groups, to make tests of similar
// duration.

const int kRandomCases = test::thinned(400, 8, 4);
constexpr int kGroups = 4;

template <class Check>
void for_random_plans(bool has_multicasts, int group, const Check& check, int num_cases = kRandomCases) {
    for (int number = group; number < num_cases; number += kGroups) {
        SCOPED_TRACE("case " + std::to_string(number));
        RandomPlans random(static_cast<std::uint32_t>(number));
        check(has_multicasts ? random.plan_with_multicasts() : random.plan());
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

std::string name_of_group(bool has_multicasts, int group) {
    return (has_multicasts ? "WithMulticasts" : "Unicasts") + std::to_string(group);
}

/// Properties of the engine, of its specification, and of the packet-level network.
class LawsOfTraffic : public testing::TestWithParam<std::tuple<Mover, bool, int>> {
protected:
    template <class Check>
    static void for_random_plans(const Check& check) {
        const auto [mover, has_multicasts, group] = GetParam();
        // The specification is slow.
        nocbench::for_random_plans(has_multicasts, group, check,
                                   mover == Mover::specification ? kRandomCases / 8 : kRandomCases);
    }

    static TrafficOutcome run(const TrafficPlan& plan) { return run_traffic(plan, std::get<0>(GetParam())); }
};

INSTANTIATE_TEST_SUITE_P(Group, LawsOfTraffic,
                         testing::Combine(testing::Values(Mover::engine, Mover::specification, Mover::packet_level),
                                          testing::Bool(), testing::Range(0, kGroups)),
                         [](const auto& test) {
                             const Mover mover = std::get<0>(test.param);
                             return std::string(mover == Mover::engine          ? "Engine"
                                                : mover == Mover::specification ? "Specification"
                                                                                : "PacketLevel") +
                                    name_of_group(std::get<1>(test.param), std::get<2>(test.param));
                         });

/// Minimum numbers of flits of packets, and of reservations of trees, by node and port.
struct FlitCounts {
    std::vector<std::uint64_t> of_packets;
    std::vector<std::uint64_t> of_reservations;
};

FlitCounts expected_flits(const TrafficPlan& plan, const TrafficOutcome& outcome) {
    FlitCounts counts{std::vector<std::uint64_t>(outcome.flits_sent.size()),
                      std::vector<std::uint64_t>(outcome.flits_sent.size())};
    const std::vector<PlannedPacket> packets = test::with_answers(plan);
    for (std::size_t index = 0; index < packets.size(); ++index) {
        std::set<std::size_t> outputs;  // a multicast passes each output of its tree once
        for (const std::vector<NodeIndex>& way : test::ways(plan, packets[index])) {
            for (std::size_t step = 0; step < way.size(); ++step) {
                outputs.insert(way[step] * 3U + static_cast<unsigned>(test::port_on_way(plan, way, step)));
            }
        }
        for (const std::size_t output : outputs) {
            counts.of_packets[output] += packets[index].flits;
            if (outcome.packets[index].path_reserved != kNever && output % 3 != kNiuPort) {
                ++counts.of_reservations[output];
            }
        }
    }
    return counts;
}

TEST_P(LawsOfTraffic, EveryFlitArrivesOnceAndIsCountedOnEveryLinkOfItsWay) {
    for_random_plans([](const TrafficPlan& plan) {
        const TrafficOutcome outcome = run(plan);
        ASSERT_FALSE(outcome.ran_out_of_time);
        ASSERT_EQ(outcome.packets_in_flight, 0U);
        const std::vector<PlannedPacket> packets = test::with_answers(plan);
        for (std::size_t index = 0; index < packets.size(); ++index) {
            const std::vector<NodeIndex> destinations = test::destinations(plan, packets[index]);
            for (std::size_t number = 0; number < destinations.size(); ++number) {
                const Ejection& ejection = outcome.packets[index].at(number);
                ASSERT_EQ(ejection.times_ejected, 1);
                const bool is_seen = std::ranges::count(plan.metered_nodes, destinations[number]) != 0 ||
                                     test::counts_data_flits(plan, destinations[number]);
                ASSERT_EQ(ejection.data_flits, is_seen ? packets[index].flits - 1 : 0);
            }
        }
        const FlitCounts expected = expected_flits(plan, outcome);
        std::uint64_t flit_hops = 0;
        for (std::size_t output = 0; output < outcome.flits_sent.size(); ++output) {
            SCOPED_TRACE("output " + std::to_string(output));
            flit_hops += outcome.flits_sent[output];
            ASSERT_GE(outcome.flits_sent[output], expected.of_packets[output] + expected.of_reservations[output]);
            if (expected.of_reservations[output] == 0 && plan.trees.empty()) {
                ASSERT_EQ(outcome.flits_sent[output], expected.of_packets[output]);
            }
            if (output % 3 == kNiuPort) {
                ASSERT_EQ(outcome.flits_sent[output], expected.of_packets[output]);
            }
        }
        ASSERT_EQ(outcome.flit_hops, flit_hops);
    });
}

TEST_P(LawsOfTraffic, NoPacketIsFasterThanItsWayAndItsLength) {
    for_random_plans([](const TrafficPlan& plan) {
        const TrafficOutcome outcome = run(plan);
        const std::vector<PlannedPacket> packets = test::with_answers(plan);
        for (std::size_t index = 0; index < packets.size(); ++index) {
            const PacketTimes& times = outcome.packets[index];
            const PlannedPacket& packet = packets[index];
            ASSERT_GE(times.finished, times.started + packet.flits - 1);
            Cycle in_router = times.started + plan.parameters.injection_cycles;
            if (times.path_reserved != kNever) {
                const PlannedTree& tree = plan.trees[static_cast<std::size_t>(packet.tree)];
                const Cycle per_hop = plan.parameters.hop_cycles + plan.parameters.reservation_reply_cycles;
                ASSERT_GE(times.path_requested, in_router);
                ASSERT_GE(times.path_reserved, times.path_requested + tree.depth() * per_hop + tree.grant_cycles);
                in_router = times.path_reserved;
            }
            const std::vector<std::vector<NodeIndex>> ways = test::ways(plan, packet);
            for (std::size_t number = 0; number < ways.size(); ++number) {
                const Ejection& ejection = times.at(number);
                const auto hops = static_cast<Cycle>(ways[number].size()) - 1;
                const Cycle on_the_way = hops * plan.parameters.hop_cycles;
                ASSERT_GE(ejection.head, in_router + on_the_way);
                ASSERT_GE(ejection.tail, ejection.head + packet.flits - 1);
                ASSERT_GE(ejection.tail, times.finished + plan.parameters.injection_cycles + on_the_way);
            }
        }
    });
}

TEST_P(LawsOfTraffic, PacketsOfOneVirtualChannelKeepTheirOrder) {
    for_random_plans([](const TrafficPlan& plan) {
        const TrafficOutcome outcome = run(plan);
        // Compares planned packets only, as answers are dynamic.
        for (std::size_t one = 0; one < plan.packets.size(); ++one) {
            for (std::size_t other = 0; other < plan.packets.size(); ++other) {
                const PlannedPacket& a = plan.packets[one];
                const PlannedPacket& b = plan.packets[other];
                const bool is_same_way = a.source == b.source && a.destination == b.destination && a.tree == b.tree &&
                                         a.virtual_channel == b.virtual_channel;
                if (is_same_way && a.is_static && b.is_static &&
                    outcome.packets[one].finished < outcome.packets[other].finished) {
                    for (std::size_t number = 0; number < test::destinations(plan, a).size(); ++number) {
                        ASSERT_LT(outcome.packets[one].at(number).tail, outcome.packets[other].at(number).head);
                    }
                }
            }
        }
    });
}

/// Equality of the engine's modes of operation.
class RandomTraffic : public testing::TestWithParam<std::tuple<bool, int>> {
protected:
    template <class Check>
    static void for_random_plans(const Check& check) {
        const auto [has_multicasts, group] = GetParam();
        nocbench::for_random_plans(has_multicasts, group, check);
    }
};

INSTANTIATE_TEST_SUITE_P(Group, RandomTraffic, testing::Combine(testing::Bool(), testing::Range(0, kGroups)),
                         [](const auto& test) {
                             return name_of_group(std::get<0>(test.param), std::get<1>(test.param));
                         });

TEST_P(RandomTraffic, AcceleratorsChangeNothing) {
    for_random_plans([](const TrafficPlan& plan) {
        ASSERT_EQ(run_traffic(plan), run_traffic(plan, Mover::engine_without_accelerators));
    });
}

TEST_P(RandomTraffic, NodesAreToldOfAllThatTheyCanStart) {
    for_random_plans([](const TrafficPlan& plan) {
        TrafficPlan asking = plan;
        asking.polls = true;
        ASSERT_EQ(run_traffic(asking), run_traffic(plan));
    });
}

TEST_P(RandomTraffic, TheLengthOfAWindowChangesNothing) {
    for_random_plans([](const TrafficPlan& plan) {
        const TrafficOutcome whole = run_traffic(plan);
        TrafficPlan shorter = plan;
        const std::vector<Cycle>& skews = plan.parameters.skew_cycles;
        const Cycle longest = (skews.empty() ? 0 : std::ranges::max(skews)) +
                              std::max({plan.parameters.hop_cycles, plan.parameters.credit_return_cycles,
                                        plan.parameters.injection_cycles});
        for (Cycle window = 1; window < plan.parameters.window_cycles; ++window) {
            if (longest / window < Network::kLatencyWindowsMax) {
                shorter.parameters.window_cycles = window;
                ASSERT_EQ(run_traffic(shorter), whole) << "windows of " << window << " cycles";
            }
        }
    });
}

// Long packets through otherwise idle routers, the case that accelerators are made for.

TEST(NetworkTest, AcceleratorsChangeNothingForLongPackets) {
    for (int number = 0; number < 40; ++number) {
        SCOPED_TRACE(number);
        RandomPlans random(static_cast<std::uint32_t>(5000 + number));
        TrafficPlan plan;
        plan.columns = 6;
        plan.rows = 5;
        plan.noc = number % 2;
        plan.parameters = usual_parameters();
        plan.source_ticks.assign(30, random.one_of<Tick>({10'000, 10'205, 11'080}));
        plan.sink_ticks.assign(30, random.one_of<Tick>({10'000, 10'200, 15'000}));
        for (int index = 0; index < 30; ++index) {
            PlannedPacket packet;
            packet.source = static_cast<NodeIndex>(random.between(0, 29));
            packet.destination = static_cast<NodeIndex>(random.between(0, number < 20 ? 29 : 3));
            packet.flits = static_cast<std::uint16_t>(random.between(200, 257));
            packet.virtual_channel = static_cast<std::uint8_t>(random.between(0, 1));
            packet.ready = random.between(0, 2000);
            packet.answer_flits = 1;
            plan.packets.push_back(packet);
        }
        ASSERT_EQ(run_traffic(plan), run_traffic(plan, Mover::engine_without_accelerators));
    }
}

struct Torus {
    int columns;
    int rows;
    int noc;
};

class LonePacket : public testing::TestWithParam<Torus> {};

INSTANTIATE_TEST_SUITE_P(Chips, LonePacket,
                         testing::Values(Torus{10, 12, 0}, Torus{10, 12, 1}, Torus{17, 12, 0}, Torus{17, 12, 1}),
                         [](const auto& test) {
                             return (test.param.columns == 10 ? "Wormhole" : "Blackhole") + std::string("Noc") +
                                    std::to_string(test.param.noc);
                         });

TEST_P(LonePacket, TakesTheSameForEveryHop) {
    TrafficPlan plan;
    plan.columns = GetParam().columns;
    plan.rows = GetParam().rows;
    plan.noc = GetParam().noc;
    plan.parameters = usual_parameters();
    const int num_nodes = plan.columns * plan.rows;
    // All pairs, one packet at a time.
    const std::uint16_t flits = 3;
    constexpr Cycle kLongerThanAnyWay = 1000;
    Cycle ready = 0;
    for (int source = 0; source < num_nodes; ++source) {
        for (int destination = 0; destination < num_nodes; ++destination) {
            PlannedPacket packet;
            packet.source = static_cast<NodeIndex>(source);
            packet.destination = static_cast<NodeIndex>(destination);
            packet.flits = flits;
            packet.ready = ready;
            plan.packets.push_back(packet);
            ready += kLongerThanAnyWay;
        }
    }
    const TrafficOutcome outcome = run_traffic(plan, Mover::engine, ready + kLongerThanAnyWay);
    for (std::size_t index = 0; index < plan.packets.size(); ++index) {
        const PlannedPacket& packet = plan.packets[index];
        const PacketTimes& times = outcome.packets[index];
        const int hops_x =
            (packet.destination % plan.columns - packet.source % plan.columns + plan.columns) % plan.columns;
        const int hops_y = (packet.destination / plan.columns - packet.source / plan.columns + plan.rows) % plan.rows;
        const int back_x = (plan.columns - hops_x) % plan.columns;
        const int back_y = (plan.rows - hops_y) % plan.rows;
        const Cycle hops = plan.noc == 0 ? hops_x + hops_y : back_x + back_y;
        ASSERT_EQ(times.head, packet.ready + plan.parameters.injection_cycles + hops * plan.parameters.hop_cycles)
            << packet.source << " to " << packet.destination;
        ASSERT_EQ(times.tail, times.head + flits - 1);
    }
}

TEST(NetworkTest, OneVirtualChannelKeepsTheFullRateIfItsBufferCoversTheRoundTrip) {
    for (const int room : {1, 4, 8, 14, 15, 16, 20}) {
        TrafficPlan plan;
        plan.columns = 8;
        plan.parameters = usual_parameters();
        plan.parameters.private_flits_per_virtual_channel = 1;
        plan.parameters.shared_flits_per_virtual_channel_max = room - 1;
        PlannedPacket packet;
        packet.destination = 5;
        packet.flits = 257;
        plan.packets = {packet};
        const PacketTimes times = run_traffic(plan).packets[0];
        const Cycle round_trip = plan.parameters.hop_cycles + plan.parameters.credit_return_cycles;
        // The credit round trip limits packets to as many flits per round trip as the buffer holds.
        Cycle expected = packet.flits - 1;
        if (room < round_trip) {
            expected = (packet.flits - 1) / room * round_trip + (packet.flits - 1) % room;
        }
        EXPECT_EQ(times.tail - times.head, expected) << room;
    }
}

TEST(NetworkTest, RatesOfSourcesAndSinksHoldExactly) {
    TrafficPlan plan;
    plan.columns = 4;
    plan.parameters = usual_parameters();
    PlannedPacket packet;
    packet.destination = 2;
    packet.flits = 257;
    plan.packets = {packet};
    const auto duration = [&](Tick source, Tick sink, Tick of_packet) {
        plan.source_ticks.assign(8, source);
        plan.sink_ticks.assign(8, sink);
        plan.packets[0].ticks_per_flit = of_packet;
        const PacketTimes times = run_traffic(plan).packets[0];
        return ticks_from_cycles(times.tail - times.head);
    };
    const Tick cycle = kTicksPerCycle;
    const auto expected = [&](Tick ticks_per_data_flit) {
        // The header takes a cycle, and the last flit leaves in the first whole cycle that its rate allows.
        return cycle + 255 * ticks_per_data_flit;
    };
    EXPECT_NEAR(static_cast<double>(duration(cycle, cycle, 0)), static_cast<double>(expected(cycle)), 0.0);
    EXPECT_NEAR(static_cast<double>(duration(11'080, cycle, 0)), static_cast<double>(expected(11'080)), cycle);
    EXPECT_NEAR(static_cast<double>(duration(cycle, 11'080, 0)), static_cast<double>(expected(11'080)), cycle);
    EXPECT_NEAR(static_cast<double>(duration(cycle, cycle, 14'350)), static_cast<double>(expected(14'350)), 2 * cycle);
    EXPECT_NEAR(static_cast<double>(duration(11'080, 10'200, 14'350)), static_cast<double>(expected(14'350)),
                2 * cycle);
}

TEST(NetworkTest, PacketsPlannedLongAgoAreSentInTimeWhateverHappensMeanwhile) {
    TrafficPlan plan;
    plan.columns = 4;
    plan.parameters = usual_parameters();
    PlannedPacket late;
    late.source = 7;
    late.destination = 4;
    for (const Cycle ready : {100, 1000, 10'000, 100'000}) {
        late.ready = ready;
        plan.packets.push_back(late);
    }
    PlannedPacket meanwhile;
    meanwhile.destination = 1;
    for (int index = 0; index < 1000; ++index) {
        meanwhile.ready = Cycle{101} * index;
        plan.packets.push_back(meanwhile);
    }
    const TrafficOutcome outcome = run_traffic(plan);
    for (std::size_t index = 0; index < plan.packets.size(); ++index) {
        EXPECT_EQ(outcome.packets[index].started, plan.packets[index].ready);
    }
}

/// Returns two long packets from different rows that meet in the column of their destination.
TrafficPlan two_that_meet(int first_channel, int second_channel) {
    TrafficPlan plan;
    plan.columns = 4;
    plan.rows = 5;
    plan.parameters = usual_parameters();
    PlannedPacket first;
    first.source = 0 * 4 + 1;
    first.destination = 3 * 4 + 2;
    first.flits = 200;
    first.virtual_channel = static_cast<std::uint8_t>(first_channel);
    PlannedPacket second = first;
    second.source = 1 * 4 + 1;
    second.virtual_channel = static_cast<std::uint8_t>(second_channel);
    second.ready = 30;
    plan.packets = {first, second};
    return plan;
}

TEST(NetworkTest, PacketsOnOneVirtualChannelExcludeEachOther) {
    const TrafficOutcome outcome = run_traffic(two_that_meet(1, 1));
    const PacketTimes& first = outcome.packets[0];
    const PacketTimes& second = outcome.packets[1];
    const bool first_was_first = first.tail < second.head;
    EXPECT_TRUE(first_was_first || second.tail < first.head);
}

TEST(NetworkTest, PacketsOnDifferentVirtualChannelsTakeTurns) {
    const TrafficOutcome outcome = run_traffic(two_that_meet(1, 2));
    const PacketTimes& first = outcome.packets[0];
    const PacketTimes& second = outcome.packets[1];
    EXPECT_LT(second.head, first.tail);
    EXPECT_LT(first.head, second.tail);
    // Together the packets need the link for 400 cycles, and each gets half of it while both request it.
    EXPECT_GE(std::max(first.tail, second.tail) - std::min(first.head, second.head), 399);
    EXPECT_LT(std::max(first.tail, second.tail) - std::min(first.head, second.head), 440);
    EXPECT_GT(first.tail - first.head, 300);
    EXPECT_GT(second.tail - second.head, 300);
}

TEST(NetworkTest, APacketThatIsHeldUpHoldsUpItsVirtualChannelOnly) {
    // The first packet's destination is blocked for some time; the other packets pass through the same links.
    TrafficPlan plan;
    plan.columns = 4;
    plan.rows = 2;
    plan.parameters = usual_parameters();
    PlannedPacket blocked;
    blocked.destination = 3;
    blocked.flits = 100;
    blocked.virtual_channel = 1;
    PlannedPacket behind = blocked;
    behind.destination = 2;
    behind.ready = 1;
    PlannedPacket beside = behind;
    beside.virtual_channel = 2;
    plan.packets = {blocked, behind, beside};
    constexpr Cycle kLong = 5000;
    plan.blockings = {{3, 0, kLong}};
    const TrafficOutcome outcome = run_traffic(plan);
    EXPECT_EQ(outcome.packets[0].head, kLong);
    EXPECT_GT(outcome.packets[1].head, kLong);
    EXPECT_LT(outcome.packets[2].tail, 500);
}

TEST(NetworkTest, ResponsesAreEjectedWhileRequestsAreNot) {
    TrafficPlan plan;
    plan.columns = 3;
    plan.parameters = usual_parameters();
    PlannedPacket request;
    request.destination = 1;
    request.flits = 4;
    PlannedPacket response = request;
    response.virtual_channel = kFirstResponseVirtualChannel;
    plan.packets = {request, response};
    plan.blockings = {{1, 0, 1000}};
    const TrafficOutcome outcome = run_traffic(plan);
    EXPECT_EQ(outcome.packets[0].head, 1000);
    EXPECT_LT(outcome.packets[1].tail, 100);
}

TEST(NetworkTest, ARequestWaitsForTheOneBeforeItOnItsVirtualChannelOnly) {
    // One node reads from another. The answers are late, since a long packet of the answering node precedes them.
    TrafficPlan plan;
    plan.columns = 4;
    plan.parameters = usual_parameters();
    plan.requests_held_per_channel_max = 1;
    PlannedPacket in_the_way;
    in_the_way.source = 2;
    in_the_way.destination = 3;
    in_the_way.flits = 500;
    in_the_way.virtual_channel = kFirstResponseVirtualChannel;
    PlannedPacket read;
    read.destination = 2;
    read.flits = 1;
    read.ready = 100;
    read.virtual_channel = 1;
    read.answer_flits = 10;
    PlannedPacket same_channel = read;
    same_channel.ready = 101;
    PlannedPacket other_channel = same_channel;
    other_channel.virtual_channel = 2;
    plan.packets = {in_the_way, read, same_channel, other_channel};
    const TrafficOutcome outcome = run_traffic(plan);
    EXPECT_LT(outcome.packets[1].head, 200);
    EXPECT_GT(outcome.packets[2].head, 450);
    EXPECT_LT(outcome.packets[3].head, 200);
    EXPECT_EQ(first_difference(plan, run_traffic(plan, Mover::specification), outcome), "");
}

/// Returns requests and responses between all nodes, with minimal buffers.
TrafficPlan crowd(int noc) {
    RandomPlans random(static_cast<std::uint32_t>(noc));
    TrafficPlan plan;
    plan.columns = 10;
    plan.rows = 12;
    plan.noc = noc;
    plan.parameters = usual_parameters();
    plan.parameters.private_flits_per_virtual_channel = 1;
    plan.parameters.shared_flits_per_input_port = 2;
    plan.parameters.shared_flits_per_virtual_channel_max = 1;
    for (int index = 0; index < 4000; ++index) {
        PlannedPacket packet;
        packet.source = static_cast<NodeIndex>(random.between(0, 119));
        packet.destination = static_cast<NodeIndex>(random.between(0, 119));
        packet.flits = static_cast<std::uint16_t>(random.one_of({1, 2, 17, 33}));
        packet.virtual_channel = static_cast<std::uint8_t>(random.between(0, 3));
        packet.answer_flits = random.one_of({1, 17});
        plan.packets.push_back(packet);
    }
    return plan;
}

TEST(NetworkTest, AcceleratorsChangeNothingWhereReadsBlockEachOther) {
    // All nodes answer all nodes with long packets, two at a time, so that buffers and their shared pools stay full.
    TrafficPlan plan;
    plan.columns = 10;
    plan.rows = 12;
    plan.parameters = usual_parameters();
    plan.parameters.dynamic_group = 4;
    plan.answer_streams = 2;
    plan.requests_held_per_channel_max = 1;
    plan.source_ticks.assign(120, 10'215);
    plan.sink_ticks.assign(120, 10'205);
    for (int responder = 0; responder < 60; ++responder) {
        for (int requestor = 0; requestor < 60; ++requestor) {
            PlannedPacket packet;
            packet.source = static_cast<NodeIndex>(2 * requestor);
            packet.destination = static_cast<NodeIndex>(2 * responder);
            packet.flits = 1;
            packet.virtual_channel = 1;
            packet.ready = 20 * responder + 3 * requestor;
            packet.answer_flits = 257;
            plan.packets.push_back(packet);
        }
    }
    EXPECT_EQ(first_difference(plan, run_traffic(plan, Mover::engine_without_accelerators), run_traffic(plan)), "");
}

TEST(NetworkTest, NoDeadlockInACrowd) {
    for (const int noc : {0, 1}) {
        const TrafficOutcome outcome = run_traffic(crowd(noc));
        EXPECT_FALSE(outcome.ran_out_of_time);
        EXPECT_EQ(outcome.packets_in_flight, 0U);
    }
}

TEST(NetworkTest, TheDatelinesAreWhatPreventsDeadlock) {
    // Without datelines this traffic deadlocks, so the test would detect a deadlock.
    TrafficPlan plan = crowd(0);
    plan.has_datelines = false;
    const TrafficOutcome outcome = run_traffic(plan);
    EXPECT_GT(outcome.packets_in_flight, 0U);
    EXPECT_EQ(outcome.wait_for_cycle, run_traffic(plan, Mover::specification).wait_for_cycle);

    // The message names packets of which each holds a resource that its predecessor requests: around a ring, on one
    // virtual channel.
    ASSERT_GE(outcome.wait_for_cycle.size(), 2U);
    for (std::size_t index = 0; index < outcome.wait_for_cycle.size(); ++index) {
        const WaitingPacket& waiting = outcome.wait_for_cycle[index];
        const WaitingPacket& next = outcome.wait_for_cycle[(index + 1) % outcome.wait_for_cycle.size()];
        // The packet is blocked in its router or by the next router.
        EXPECT_TRUE(waiting.node == next.node || next.node == way(plan, waiting.node, next.node)[1])
            << waiting.node << " and " << next.node;
        EXPECT_LT(waiting.virtual_channel, kNumSoftwareVirtualChannels) << "the second set is not in use";
    }
}

TEST(NetworkTest, NobodyWaitsInACircleWhereAllArrive) { EXPECT_TRUE(run_traffic(crowd(1)).wait_for_cycle.empty()); }

TEST(NetworkErrors, LatenciesThatLinksCannotHold) {
    const auto told = [](Cycle hop, Cycle credit_return, Cycle injection, Cycle window) {
        TrafficPlan plan;
        plan.parameters = usual_parameters();
        plan.parameters.hop_cycles = hop;
        plan.parameters.credit_return_cycles = credit_return;
        plan.parameters.injection_cycles = injection;
        plan.parameters.window_cycles = window;
        return error_message([&] { run_traffic(plan); });
    };
    const std::string expected = "latencies of a network: expected at most 14 times the shortest, which is ";
    EXPECT_EQ(told(9, 6, 5, 6), "no error");
    EXPECT_EQ(told(83, 6, 5, 6), "no error");
    EXPECT_EQ(told(84, 6, 5, 6), expected + "6 cycles, found 84 cycles");
    EXPECT_EQ(told(3, 42, 5, 3), expected + "3 cycles, found 42 cycles");
    EXPECT_EQ(told(2, 2, 28, 2), expected + "2 cycles, found 28 cycles");
    EXPECT_EQ(told(9, 6, 5, 0), expected + "0 cycles, found 9 cycles");
    EXPECT_EQ(told(20, 20, 5, 9), expected + "9 cycles, found 20 cycles");
}

TEST(NetworkErrors, SkewsAndWindowsThatLatenciesDoNotAllow) {
    const auto told = [](std::vector<Cycle> skews, Cycle window) {
        TrafficPlan plan;
        plan.columns = 5;
        plan.rows = 2;
        plan.parameters = usual_parameters();
        plan.parameters.skew_cycles = std::move(skews);
        plan.parameters.window_cycles = window;
        return error_message([&] { run_traffic(plan); });
    };
    const std::string window = "windows of a network: expected at most ";
    EXPECT_EQ(told(ring_cut_skews(5, 2, 2), 8), "no error");
    EXPECT_EQ(told(ring_cut_skews(5, 2, 6), 8), "no error");
    EXPECT_EQ(told(ring_cut_skews(5, 2, 1), 8), window + "7 cycles, found 8 cycles");
    EXPECT_EQ(told({}, 6), "no error");
    EXPECT_EQ(told({}, 7), window + "6 cycles, found 7 cycles");
    EXPECT_EQ(told(ring_cut_skews(5, 2, 20), 8),
              "skews of the routers of a network: expected neighbours that are no further apart than 6 cycles, the "
              "shortest latency between them, found skews of up to 40 cycles");
    EXPECT_EQ(told({1, 2, 3}, 6), "skews of the routers of a network: expected one for each of 10, found 3");
}

TEST(NetworkErrors, BuffersThatHoldMorePacketsThanTheirQueues) {
    const auto told = [](int private_flits, int shared_flits, int injection_flits) {
        TrafficPlan plan;
        plan.parameters = usual_parameters();
        plan.parameters.private_flits_per_virtual_channel = private_flits;
        plan.parameters.shared_flits_per_virtual_channel_max = shared_flits;
        plan.parameters.injection_buffer_flits = injection_flits;
        return error_message([&] { run_traffic(plan); });
    };
    const std::string expected = "buffers of a network: expected at most 32 packets of one flit in one of them, found ";
    EXPECT_EQ(told(1, 30, 32), "no error");
    EXPECT_EQ(told(2, 30, 32), expected + "33");
    EXPECT_EQ(told(1, 15, 40), expected + "40");
}

}  // namespace

}  // namespace nocbench
