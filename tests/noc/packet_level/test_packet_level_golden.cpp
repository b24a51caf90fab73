// Packet-level network, rule by rule, exact to the cycle: small plans, with the cycles that follow from
// docs/packet_level.md and docs/engine_rules.md.
//
// Cycles are written as sums of named latencies, so that a reader can derive them. Plans that give equal cycles on both
// engines also run on the specification. A few cycles of other plans are recorded, not derived: ends of packets of
// which three share an output or two share the reading of a tile, ends of four packets held up by a slow tile, and
// back-offs.
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/simulated_time.h"
#include "tests/noc/random_traffic.h"
#include "tests/noc/traffic.h"

namespace nocbench {

namespace {

using test::Mover;
using test::PacketTimes;
using test::PlannedPacket;
using test::run_traffic;
using test::TrafficOutcome;
using test::TrafficPlan;

// Latencies of usual_parameters().
constexpr Cycle kInjection = 5;
constexpr Cycle kHop = 9;
constexpr Cycle kCredit = 6;
constexpr Cycle kReply = 7;
constexpr Cycle kReadAhead = 12;
constexpr Cycle kRoundTrip = kHop + kCredit;
constexpr Cycle kChannelRoom = 16;
constexpr Cycle kInjectionRoom = 32;

/// Returns the cycle in which the head of a packet that starts in `ready` reaches its tile without contention.
constexpr Cycle head_at(Cycle hops, Cycle ready = 0) { return ready + kInjection + kHop * hops; }

/// Events of a packet, in order of time.
struct Cycles {
    Cycle started = 0;   // accepted by its stream
    Cycle finished = 0;  // last flit read out of the tile
    Cycle head = 0;      // at the first destination
    Cycle tail = 0;

    bool operator==(const Cycles&) const = default;
};

void PrintTo(const Cycles& cycles, std::ostream* stream) {
    *stream << "started " << cycles.started << ", finished " << cycles.finished << ", head " << cycles.head << ", tail "
            << cycles.tail;
}

/// Returns the cycles of an undisturbed packet that starts in `ready`, with a flit per cycle.
constexpr Cycles lone(Cycle hops, Cycle flits, Cycle ready = 0) {
    return {ready, ready + flits - 1, head_at(hops, ready), head_at(hops, ready) + flits - 1};
}

enum class Holds : std::uint8_t { on_both_engines, in_closed_form };

struct Golden {
    std::string rule;
    Holds holds = Holds::on_both_engines;
    TrafficPlan plan;
    std::vector<Cycles> expected;
};

TrafficPlan torus(std::vector<PlannedPacket> packets) {
    TrafficPlan plan;
    plan.columns = 10;
    plan.rows = 12;
    plan.parameters = test::usual_parameters();
    plan.packets = std::move(packets);
    return plan;
}

std::vector<Tick> rates(Tick ticks_per_flit) { return std::vector<Tick>(120, ticks_per_flit); }

TrafficPlan with_sources(TrafficPlan plan, Tick ticks_per_flit) {
    plan.source_ticks = rates(ticks_per_flit);
    plan.sink_ticks = rates(kTicksPerCycle);
    return plan;
}

TrafficPlan with_sinks(TrafficPlan plan, Tick ticks_per_flit) {
    plan.source_ticks = rates(kTicksPerCycle);
    plan.sink_ticks = rates(ticks_per_flit);
    return plan;
}

TrafficPlan with_blocking(TrafficPlan plan, NodeIndex node, Cycle begin, Cycle end) {
    plan.blockings = {{.node = node, .begin = begin, .end = end}};
    return plan;
}

/// Returns a line of routers. A virtual channel's buffer has `private_flits`, and a port's shared pool has `pool`
/// flits.
TrafficPlan line(int private_flits, int pool, int injection_flits, std::vector<PlannedPacket> packets) {
    TrafficPlan plan;
    plan.topology = mesh(6, 1);
    plan.parameters = test::usual_parameters();
    plan.parameters.private_flits_per_virtual_channel = private_flits;
    plan.parameters.shared_flits_per_input_port = pool;
    plan.parameters.shared_flits_per_virtual_channel_max = pool;
    plan.parameters.injection_buffer_flits = injection_flits;
    plan.packets = std::move(packets);
    return plan;
}

Cycles cycles_of(const PacketTimes& times) { return {times.started, times.finished, times.head, times.tail}; }

void expect_golden(const Golden& golden) {
    SCOPED_TRACE(golden.rule);
    const auto expect_on = [&](Mover mover, const char* name) {
        const TrafficOutcome outcome = run_traffic(golden.plan, mover);
        ASSERT_EQ(outcome.packets.size(), golden.expected.size());
        for (std::size_t index = 0; index < outcome.packets.size(); ++index) {
            EXPECT_EQ(cycles_of(outcome.packets[index]), golden.expected[index]) << name << ", packet " << index;
        }
    };
    expect_on(Mover::packet_level, "packet level");
    if (golden.holds == Holds::on_both_engines) {
        expect_on(Mover::specification, "specification");
    }
}

TEST(PacketLevelGolden, LonePackets) {
    for (const Golden& golden : std::vector<Golden>{
             {.rule = "one flit: injection and a latency per hop",
              .plan = torus({{.source = 0, .destination = 3}}),
              .expected = {{0, 0, 32, 32}}},
             {.rule = "a flit per cycle behind the head",
              .plan = torus({{.source = 0, .destination = 3, .flits = 9}}),
              .expected = {{0, 8, 32, 40}}},
             {.rule = "a packet to its own tile only passes the router",
              .plan = torus({{.source = 7, .destination = 7, .flits = 9}}),
              .expected = {lone(0, 9)}},
             {.rule = "buffers of a round trip do not slow a long packet",
              .plan = torus({{.source = 0, .destination = 5, .flits = 257}}),
              .expected = {lone(5, 257)}},
             {.rule = "a dateline takes no time",
              .plan = torus({{.source = 8, .destination = 1, .flits = 9}}),
              .expected = {lone(3, 9)}},
             {.rule = "a turn takes no time",
              .plan = torus({{.source = 8, .destination = 21, .flits = 9, .ready = 100}}),
              .expected = {lone(5, 9, 100)}},
             {.rule = "a tile reads its header in a cycle, and data flits at its rate",
              .plan = with_sources(torus({{.source = 0, .destination = 3, .flits = 10}}), 12'345),
              .expected = {{0, 1 + 8 * 12'345 / 10'000, head_at(3), head_at(3) + 1 + 8 * 12'345 / 10'000}}},
             {.rule = "the limit of a packet's rate is that of its source",
              .plan = torus({{.source = 0, .destination = 3, .flits = 10, .ticks_per_flit = 30'000}}),
              .expected = {{0, 1 + 8 * 3, head_at(3), head_at(3) + 1 + 8 * 3}}},
             {.rule = "the slower of tile and limit of the packet decides",
              .plan =
                  with_sources(torus({{.source = 0, .destination = 3, .flits = 10, .ticks_per_flit = 15'000}}), 20'000),
              .expected = {{0, 1 + 8 * 2, head_at(3), head_at(3) + 1 + 8 * 2}}},
             {.rule = "a tile takes flits at its rate, the header included",
              .holds = Holds::in_closed_form,
              .plan = with_sinks(torus({{.source = 0, .destination = 3, .flits = 9}}), 15'000),
              .expected = {{0, 8, head_at(3), head_at(3) + 8 * 3 / 2}}},
         }) {
        expect_golden(golden);
    }
}

TEST(PacketLevelGolden, TilesThatTakeDataFlitByFlit) {
    TrafficPlan plan = with_sinks(torus({{.source = 0, .destination = 3, .flits = 5}}), 20'000);
    plan.metered_nodes = {3};
    expect_golden({.rule = "the header in a cycle, then a data flit each time that the rate allows",
                   .plan = plan,
                   .expected = {{0, 4, head_at(3), head_at(3) + 1 + 3 * 2}}});
}

TEST(PacketLevelGolden, LinksThatIdleAfterSoManyFlits) {
    TrafficPlan plan = torus({{.source = 0, .destination = 3, .flits = 9}});
    plan.parameters.link_flits_on_end_max = 4;
    expect_golden({.rule = "5 cycles for 4 flits, evenly spread",
                   .holds = Holds::in_closed_form,
                   .plan = plan,
                   .expected = {{0, 8, head_at(3), head_at(3) + 8 * 5 / 4}}});
}

TEST(PacketLevelGolden, Streams) {
    const PlannedPacket nine{.source = 0, .destination = 3, .flits = 9, .virtual_channel = 1};
    PlannedPacket long_one = nine;
    long_one.flits = 33;
    PlannedPacket five = nine;
    five.flits = 5;
    for (const Golden& golden : std::vector<Golden>{
             {.rule = "packets of single flits follow each other each cycle",
              .plan = torus(std::vector<PlannedPacket>(4, {.source = 0, .destination = 3})),
              .expected = {lone(3, 1), {0, 1, 33, 33}, {1, 2, 34, 34}, {2, 3, 35, 35}}},
             {.rule = "the next header follows the last flit",
              .plan = torus({nine, nine}),
              .expected = {lone(3, 9), {0, 9 + 8, head_at(3) + 9, head_at(3) + 9 + 8}}},
             {.rule = "the next packet is taken when the rest of the last one is read ahead",
              .plan = torus({long_one, long_one}),
              .expected = {lone(3, 33), {32 - kReadAhead + 1, 33 + 32, head_at(3) + 33, head_at(3) + 33 + 32}}},
             {.rule = "a slow tile reads the next header an interval after the last flit",
              .plan = with_sources(torus({five, five}), 20'000),
              .expected = {{0, 7, head_at(3), head_at(3) + 7}, {0, 9 + 7, head_at(3) + 9, head_at(3) + 9 + 7}}},
         }) {
        expect_golden(golden);
    }
}

TEST(PacketLevelGolden, VirtualChannelsHaveOneOwner) {
    for (const Golden& golden : std::vector<Golden>{
             {.rule = "a channel is granted in the cycle after the tail",
              .plan = torus({{.source = 0, .destination = 5, .flits = 9, .virtual_channel = 1},
                             {.source = 4, .destination = 5, .flits = 9, .virtual_channel = 1, .ready = 40}}),
              // The first packet leaves the router of node 4 in cycles 41 to 49.
              .expected = {lone(5, 9), {40, 48, 50 + kHop, 50 + kHop + 8}}},
             {.rule = "input ports take turns, from that behind the last owner's on",
              .plan = torus({{.source = 33, .destination = 35, .flits = 9, .virtual_channel = 1},
                             {.source = 35, .destination = 35, .flits = 9, .virtual_channel = 1, .ready = 20},
                             {.source = 25, .destination = 35, .flits = 9, .virtual_channel = 1, .ready = 13},
                             {.source = 34, .destination = 35, .flits = 9, .virtual_channel = 1, .ready = 17}}),
              // Order of grants: inputs x, y, tile, and x again. Each packet ends one cycle before the next begins.
              .expected = {lone(2, 9), {20, 28, 41, 49}, {13, 21, 32, 40}, {17, 25, 50, 58}}},
             {.rule = "packets of the two sets do not wait for each other",
              .plan = torus({{.source = 5, .destination = 8, .flits = 9, .virtual_channel = 1},
                             {.source = 9, .destination = 2, .flits = 9, .virtual_channel = 1}}),
              .expected = {lone(3, 9), lone(3, 9)}},
             {.rule = "a packet behind another one in a buffer waits, wherever it goes",
              .plan = with_blocking(torus({{.source = 0, .destination = 2, .flits = 5, .virtual_channel = 1},
                                           {.source = 0, .destination = 3, .flits = 5, .virtual_channel = 1}}),
                                    2, 0, 100),
              .expected = {{0, 4, 100, 104}, {0, 9, 105 + kHop, 105 + kHop + 4}}},
             {.rule = "a dynamic packet takes another channel of its group",
              .plan = torus(
                  {{.source = 4, .destination = 5, .flits = 9, .virtual_channel = 1},
                   {.source = 4, .destination = 5, .virtual_channel = 1, .is_static = false, .stream = 0, .ready = 3}}),
              .expected = {{0, 9, 14, 23}, {3, 3, 17, 17}}},
         }) {
        expect_golden(golden);
    }
}

TEST(PacketLevelGolden, DynamicPackets) {
    // Flits of a blocked packet occupy channel 0, and a long packet has channel 1.
    TrafficPlan standing = with_blocking(
        torus({{.source = 0, .destination = 2, .flits = 5, .virtual_channel = 0},
               {.source = 0, .destination = 3, .flits = 257, .virtual_channel = 1, .ready = 20},
               {.source = 1, .destination = 3, .virtual_channel = 1, .is_static = false, .stream = 0, .ready = 80}}),
        2, 0, 1000);
    standing.parameters.dynamic_group = 4;
    expect_golden({.rule = "a dynamic packet takes the channel with the fewest flits behind it",
                   .plan = standing,
                   .expected = {{0, 4, 1000, 1004}, {20, 276, 52, 52 + 256 + 1}, lone(2, 1, 80)}});
    TrafficPlan turns =
        torus({{.source = 33, .destination = 35, .virtual_channel = 1},
               {.source = 34, .destination = 35, .flits = 9, .virtual_channel = 1, .is_static = false, .ready = 100},
               {.source = 35, .destination = 35, .flits = 9, .virtual_channel = 1, .is_static = false, .ready = 109}});
    turns.parameters.dynamic_group = 1;
    expect_golden({.rule = "a single flit that passes at once has had the turn of its port",
                   .plan = turns,
                   .expected = {lone(2, 1), {100, 108, 123, 131}, lone(0, 9, 109)}});
}

TEST(PacketLevelGolden, TilesThatTakeNothing) {
    for (const Golden& golden : std::vector<Golden>{
             {.rule = "a packet goes on in the cycle in which its tile is open again",
              .plan = with_blocking(torus({{.source = 0, .destination = 3, .flits = 5}}), 3, 0, 100),
              .expected = {{0, 4, 100, 104}}},
             {.rule = "flits that are in the tile already are not sent again",
              .plan = with_blocking(torus({{.source = 0, .destination = 3, .flits = 33}}), 3, 40, 100),
              .expected = {{0, 32, head_at(3), 100 + 33 - (40 - head_at(3)) - 1}}},
             {.rule = "flits that the buffers do not hold wait in the tile until credits are back",
              .holds = Holds::in_closed_form,
              .plan = with_blocking(torus({{.source = 0, .destination = 1, .flits = 60}}), 1, 0, 200),
              .expected = {{0, 200 + kCredit + 60 - kChannelRoom - kInjectionRoom, 200, 259}}},
             {.rule = "responses are not blocked",
              .plan =
                  with_blocking(torus({{.source = 0, .destination = 3, .flits = 5, .virtual_channel = 6}}), 3, 0, 100),
              .expected = {lone(3, 5)}},
         }) {
        expect_golden(golden);
    }
}

TEST(PacketLevelGolden, CreditsOfSmallBuffers) {
    const auto packet = [](int flits) {
        return PlannedPacket{.source = 0, .destination = 4, .flits = static_cast<std::uint16_t>(flits)};
    };
    for (const Golden& golden : std::vector<Golden>{
             {.rule = "room for a flit: one per round trip",
              .holds = Holds::in_closed_form,
              .plan = line(1, 0, 64, {packet(33)}),
              .expected = {{0, 32, head_at(4), head_at(4) + 32 * kRoundTrip}}},
             {.rule = "room for two: two per round trip",
              .holds = Holds::in_closed_form,
              .plan = line(2, 0, 64, {packet(33)}),
              .expected = {{0, 32, head_at(4), head_at(4) + 32 * kRoundTrip / 2}}},
             {.rule = "a flit of the pool is as good as a private one",
              .holds = Holds::in_closed_form,
              .plan = line(1, 4, 64, {packet(33)}),
              .expected = {{0, 32, head_at(4), head_at(4) + 32 * kRoundTrip / 5}}},
             {.rule = "a packet that fits goes at once", .plan = line(5, 0, 64, {packet(5)}), .expected = {lone(4, 5)}},
             {.rule = "room for a round trip slows nothing",
              .plan = line(15, 0, 64, {packet(33)}),
              .expected = {lone(4, 33)}},
             {.rule = "between tile and router, credits come back at once",
              .holds = Holds::in_closed_form,
              .plan = line(16, 0, 3, {packet(33)}),
              .expected = {{0, 1 + 31 * (kInjection + 1) / 3, head_at(4), head_at(4) + 1 + 31 * (kInjection + 1) / 3}}},
             {.rule = "a head leaves when the credit of the packet ahead is back",
              .plan = line(1, 0, 64, {packet(1), packet(1), packet(1)}),
              .expected = {{0, 0, 41, 41}, {0, 1, 41 + kRoundTrip, 41 + kRoundTrip}, {1, 2, 71, 71}}},
         }) {
        expect_golden(golden);
    }
}

TEST(PacketLevelGolden, PacketsThatWaitHoldThePool) {
    // The first packet fills the pool in front of its tile. The second packet has only its private flit there.
    TrafficPlan plan = line(1, 6, 64,
                            {{.source = 0, .destination = 2, .flits = 7, .virtual_channel = 0},
                             {.source = 0, .destination = 3, .flits = 5, .virtual_channel = 1, .ready = 100}});
    expect_golden({.rule = "a flit per round trip beside a packet that holds the pool",
                   .plan = with_blocking(plan, 2, 0, 1000),
                   .expected = {{0, 6, 1000, 1006}, {100, 104, head_at(3, 100), head_at(3, 100) + 4 * kRoundTrip}}});
}

TEST(PacketLevelGolden, OutputsAreShared) {
    const PlannedPacket long_one{.source = 0, .destination = 5, .flits = 257, .virtual_channel = 0};
    const auto beside = [](int flits, int channel, Cycle ready) {
        return PlannedPacket{.source = 4,
                             .destination = 5,
                             .flits = static_cast<std::uint16_t>(flits),
                             .virtual_channel = static_cast<std::uint8_t>(channel),
                             .ready = ready};
    };
    for (const Golden& golden : std::vector<Golden>{
             {.rule = "a single flit takes one turn of a packet that flows",
              .plan = torus({long_one, beside(1, 1, 60)}),
              .expected = {{0, 256, head_at(5), head_at(5) + 256 + 1}, lone(1, 1, 60)}},
             {.rule = "the next one on its channel passes after a turn of the packet that flows",
              .plan = torus({long_one, beside(1, 1, 60), beside(1, 1, 60)}),
              .expected = {{0, 256, 50, 308}, lone(1, 1, 60), {60, 61, 76, 76}}},
             {.rule = "one on another channel passes before that",
              .plan = torus({long_one, beside(1, 1, 60), beside(1, 2, 61)}),
              .expected = {{0, 256, 50, 308}, lone(1, 1, 60), lone(1, 1, 61)}},
             {.rule = "two packets have half of the output each",
              .holds = Holds::in_closed_form,
              .plan = torus({long_one, beside(41, 1, 60)}),
              .expected = {{0, 256, head_at(5), head_at(5) + 256 + 41}, {60, 100, 74, 74 + 2 * 40}}},
             {.rule = "three have a third each",
              .holds = Holds::in_closed_form,
              .plan = torus({long_one, beside(41, 1, 60), beside(41, 2, 60)}),
              .expected = {{0, 282, 50, 387}, {60, 140, 74, 74 + 3 * 40}, {60, 139, 74, 74 + 3 * 40}}},
             {.rule = "packets of a tile share the reading of it",
              .holds = Holds::in_closed_form,
              .plan = torus({{.source = 0, .destination = 3, .flits = 33, .virtual_channel = 0},
                             {.source = 0, .destination = 14, .flits = 33, .virtual_channel = 1}}),
              .expected = {{0, 64, 32, 97}, {0, 63, 50, 114}}},
         }) {
        expect_golden(golden);
    }
}

TEST(PacketLevelGolden, PacketsThatFlowShareThePool) {
    const auto on_channels = [](TrafficPlan plan, int channels, int flits) {
        for (int channel = 0; channel < channels; ++channel) {
            plan.packets.push_back({.source = 0,
                                    .destination = 3,
                                    .flits = static_cast<std::uint16_t>(flits),
                                    .virtual_channel = static_cast<std::uint8_t>(channel)});
        }
        return plan;
    };
    TrafficPlan slow_tile = on_channels(torus({}), 4, 65);
    slow_tile.parameters.shared_flits_per_input_port = 20;
    for (const Golden& golden : std::vector<Golden>{
             {.rule = "two packets have a private flit and half of the pool each",
              .holds = Holds::in_closed_form,
              .plan = on_channels(line(1, 6, 64, {}), 2, 33),
              .expected = {{0, 64, 32, 32 + 32 * kRoundTrip / 4}, {0, 63, 32, 32 + 32 * kRoundTrip / 4}}},
             {.rule = "four packets that a slow tile holds up",
              .holds = Holds::in_closed_form,
              .plan = with_sinks(slow_tile, 20'000),
              // In total, one flit every two cycles.
              .expected = {{0, 256, 32, 549}, {0, 255, 32, 547}, {0, 254, 32, 545}, {0, 253, 32, 544}}},
         }) {
        expect_golden(golden);
    }
}

TrafficPlan to_row(std::vector<PlannedPacket> packets, Cycle grant_cycles) {
    TrafficPlan plan = torus(std::move(packets));
    plan.trees = {test::plan_tree(plan, 0, {2, 3, 4}, {2, 3})};
    plan.trees[0].grant_cycles = grant_cycles;
    return plan;
}

TEST(PacketLevelGolden, AMulticastGoesDownItsTreeWithoutAStop) {
    const TrafficPlan plan = to_row({{.source = 0, .flits = 9, .virtual_channel = 4, .tree = 0}}, 0);
    for (const Mover mover : {Mover::packet_level, Mover::specification}) {
        const PacketTimes packet = run_traffic(plan, mover).packets[0];
        EXPECT_EQ(packet.path_requested, kInjection);
        EXPECT_EQ(packet.path_reserved, kInjection + 4 * (kHop + kReply));
        for (std::size_t receiver = 0; receiver < 3; ++receiver) {
            EXPECT_EQ(packet.at(receiver).head, packet.path_reserved + static_cast<Cycle>(2 + receiver) * kHop);
            EXPECT_EQ(packet.at(receiver).tail, packet.at(receiver).head + 8);
        }
    }
}

TEST(PacketLevelGolden, Multicasts) {
    const PlannedPacket multicast{.source = 0, .flits = 9, .virtual_channel = 4, .tree = 0};
    PlannedPacket linked = multicast;
    linked.linked = true;
    PlannedPacket long_one = multicast;
    long_one.flits = 60;
    const auto answer_from = [](NodeIndex source, NodeIndex destination) {
        return PlannedPacket{.source = source, .destination = destination, .virtual_channel = 6, .ready = 100};
    };
    const auto two_trees = [&] {
        PlannedPacket other = multicast;
        other.source = 1;
        other.tree = 1;
        other.ready = 20;
        TrafficPlan plan = to_row({multicast, other}, 0);
        plan.trees.push_back(test::plan_tree(plan, 1, {3, 4}, {3, 2}));
        return plan;
    };
    const auto other_tree_first = [&] {
        TrafficPlan plan = two_trees();
        plan.packets[0].ready = 20;
        plan.packets[1].ready = 0;
        return plan;
    };
    const auto around_the_edge = [&] {
        PlannedPacket packet = multicast;
        packet.source = 8;
        TrafficPlan plan = torus({packet, {.source = 11, .destination = 21, .virtual_channel = 4, .ready = 90}});
        plan.trees = {test::plan_tree(plan, 8, {11, 21}, {1, 1})};
        return plan;
    };
    constexpr Cycle kTree = 4 * (kHop + kReply);  // round trip of a reservation
    constexpr Cycle kReserved = kInjection + kTree;
    for (const Golden& golden : std::vector<Golden>{
             {.rule = "the header leaves when the farthest router has answered",
              .plan = to_row({multicast}, 0),
              .expected = {{0, 9, kReserved + 2 * kHop, kReserved + 2 * kHop + 8}}},
             {.rule = "or later, by the cycles of a grant",
              .plan = to_row({multicast}, 5),
              .expected = {{0, 9, kReserved + 5 + 2 * kHop, kReserved + 5 + 2 * kHop + 8}}},
             {.rule = "also where that is beyond what the wheel of cycles reaches",
              .plan = to_row({multicast}, 300),
              .expected = {{0, 9, kReserved + 300 + 2 * kHop, kReserved + 300 + 2 * kHop + 8}}},
             {.rule = "the next one of a chain follows the tail",
              .plan = to_row({linked, multicast}, 0),
              .expected = {{0, 9, kReserved + 2 * kHop, kReserved + 2 * kHop + 8},
                           {0, 18, kReserved + 9 + 2 * kHop, kReserved + 9 + 2 * kHop + 8}}},
             {.rule = "one that is not linked reserves the tree again",
              .plan = to_row({multicast, multicast}, 0),
              .expected = {{0, 9, kReserved + 2 * kHop, kReserved + 2 * kHop + 8},
                           {0, 19, kReserved + 9 + kTree + 2 * kHop, kReserved + 9 + kTree + 2 * kHop + 8}}},
             {.rule = "the slower of link and receiver is the rate of the tree",
              .holds = Holds::in_closed_form,
              .plan = with_sinks(to_row({multicast}, 0), 20'000),
              .expected = {{0, 9, kReserved + 2 * kHop, kReserved + 2 * kHop + 8 * 2}}},
             {.rule = "a header on a branch takes a turn of the whole tree",
              .holds = Holds::in_closed_form,
              .plan = to_row({long_one, answer_from(3, 4)}, 0),
              .expected = {{0, 98, kReserved + 2 * kHop, kReserved + 2 * kHop + 59 + 1}, lone(1, 1, 100)}},
             {.rule = "headers on two branches at once take one turn",
              .holds = Holds::in_closed_form,
              .plan = to_row({long_one, answer_from(3, 4), answer_from(2, 3)}, 0),
              .expected = {{0, 98, kReserved + 2 * kHop, kReserved + 2 * kHop + 59 + 1},
                           lone(1, 1, 100),
                           lone(1, 1, 100)}},
             {.rule = "a unicast on the channel of the tree waits for the tail",
              .plan = to_row({multicast, {.source = 3, .destination = 4, .virtual_channel = 4, .ready = 80}}, 0),
              .expected = {{0, 9, kReserved + 2 * kHop, kReserved + 2 * kHop + 8},
                           {80, 80, kReserved + 3 * kHop + 9 + kHop, kReserved + 3 * kHop + 9 + kHop}}},
             {.rule = "a tree that turns behind a dateline is in the first set there",
              .plan = around_the_edge(),
              .expected = {{0, 9, 85 + 4 * kHop, 85 + 4 * kHop + 8},  // 85: after the answers of five routers
                           {90, 90, 85 + 4 * kHop + 9 + kHop, 85 + 4 * kHop + 9 + kHop}}},
             {.rule = "a reservation that fails farther away is repeated later",
              .holds = Holds::in_closed_form,
              .plan = other_tree_first(),
              .expected = {{20, 29, 189 + 2 * kHop, 189 + 2 * kHop + 8},
                           {0, 9, kInjection + 3 * (kHop + kReply) + 2 * kHop,
                            kInjection + 3 * (kHop + kReply) + 2 * kHop + 8}}},
             {.rule = "a reservation that meets another tree is repeated after its back-off",
              .holds = Holds::in_closed_form,
              .plan = two_trees(),
              // The second packet has reserved its tree in cycle 148, after several attempts.
              .expected = {{0, 9, kReserved + 2 * kHop, kReserved + 2 * kHop + 8},
                           {20, 29, 148 + 2 * kHop, 148 + 2 * kHop + 8}}},
         }) {
        expect_golden(golden);
    }
}

}  // namespace

}  // namespace nocbench
