// Outputs that are reassigned otherwise than in the cycle after a tail: small cases whose every cycle can be worked out
// with pencil and paper. Routers have one virtual channel with a buffer of 4 flits. A hop takes 1 cycle, a credit 2,
// and injection from the tile into the router 1.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/error.h"
#include "tests/noc/traffic.h"

namespace nocbench {

namespace {

using test::Mover;
using test::PacketTimes;
using test::PlannedPacket;
using test::TrafficPlan;

/// Nodes are y * columns + x.
TrafficPlan mesh_plan(int columns, int rows) {
    TrafficPlan plan;
    plan.columns = columns;
    plan.rows = rows;
    plan.topology = mesh(columns, rows);
    NetworkParameters& parameters = plan.parameters;
    parameters.hop_cycles = 1;
    parameters.credit_return_cycles = 2;
    parameters.private_flits_per_virtual_channel = 4;
    parameters.injection_cycles = 1;
    parameters.injection_buffer_flits = 16;
    parameters.window_cycles = 1;
    parameters.software_virtual_channels = 1;
    parameters.first_response_virtual_channel = 1;
    parameters.dynamic_group = 1;
    parameters.dynamic_response_group = 1;
    parameters.one_flit_per_input_port = true;
    return plan;
}

PlannedPacket packet(int source, int destination, int flits, Cycle ready = 0) {
    PlannedPacket packet;
    packet.source = static_cast<NodeIndex>(source);
    packet.destination = static_cast<NodeIndex>(destination);
    packet.flits = static_cast<std::uint16_t>(flits);
    packet.ready = ready;
    return packet;
}

/// Returns the number of routers on a packet's route at which it changes direction. A packet into the tile keeps its
/// direction if it comes from below.
int turns_on_the_way(const Topology& topology, int source, int destination) {
    int turns = 0;
    int input_port = kNiuPort;
    for (int node = source;;) {
        const int port = topology.route(node, destination);
        const int straight_port = port == kNiuPort ? kUpPort : port;
        turns += input_port == straight_port ? 0 : 1;
        if (port == kNiuPort) {
            return turns;
        }
        node = topology.link(node, port).neighbour;
        input_port = port;
    }
}

class ChangingOutputs : public testing::TestWithParam<Mover> {
protected:
    static std::vector<PacketTimes> run(const TrafficPlan& plan) { return run_traffic(plan, GetParam()).packets; }

    /// Returns the cycles from each tail to the next one, in order of arrival.
    static std::vector<Cycle> tail_spacings(const TrafficPlan& plan) {
        std::vector<Cycle> tails;
        for (const PacketTimes& times : run(plan)) {
            tails.push_back(times.tail);
        }
        std::ranges::sort(tails);
        std::adjacent_difference(tails.begin(), tails.end(), tails.begin());
        tails.erase(tails.begin());
        return tails;
    }

    static std::vector<std::size_t> order_of_arrival(const TrafficPlan& plan) {
        const std::vector<PacketTimes> packets = run(plan);
        std::vector<std::size_t> order(packets.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t number) { return packets[number].tail; });
        return order;
    }
};

INSTANTIATE_TEST_SUITE_P(Of, ChangingOutputs, testing::Values(Mover::specification, Mover::engine),
                         [](const auto& test) { return test.param == Mover::engine ? "Engine" : "Specification"; });

TEST_P(ChangingOutputs, ALonePacketTakesTheTimeOfEachTurn) {
    const Topology topology = mesh(4, 4);
    for (const int turn_cycles : {0, 1, 3}) {
        for (const int flits : {1, 2, 32}) {
            for (int source = 0; source < 16; ++source) {
                for (int destination = 0; destination < 16; ++destination) {
                    TrafficPlan plan = mesh_plan(4, 4);
                    plan.parameters.outputs.turn_cycles = turn_cycles;
                    plan.parameters.outputs.straight_input_of_tile = kUpPort;
                    plan.packets = {packet(source, destination, flits)};
                    const int hops = topology.hops(source, destination);
                    const int turns = turns_on_the_way(topology, source, destination);
                    EXPECT_EQ(run(plan)[0].tail, 1 + hops + turn_cycles * turns + flits - 1)
                        << source << " to " << destination;
                }
            }
        }
    }
}

TEST_P(ChangingOutputs, APacketBehindAnotherOneTurnsAgain) {
    // From a tile to itself: the output is requested when the previous tail has left, and granted after one more cycle
    // for the turn.
    TrafficPlan plan = mesh_plan(2, 2);
    plan.packets.assign(4, packet(0, 0, 2));
    plan.parameters.outputs.turn_cycles = 1;
    for (const Cycle release_cycles : {0, 1}) {
        plan.parameters.outputs.release_cycles = release_cycles;
        EXPECT_EQ(tail_spacings(plan), (std::vector<Cycle>{3, 3, 3}));
    }
    plan.parameters.outputs.straight_input_of_tile = kNiuPort;
    EXPECT_EQ(tail_spacings(plan), (std::vector<Cycle>{2, 2, 2}));
}

TEST_P(ChangingOutputs, AnOutputIsReleasedSoManyCyclesAfterATail) {
    TrafficPlan plan = mesh_plan(2, 2);
    plan.packets.assign(4, packet(0, 0, 2));
    for (const Cycle release_cycles : {0, 1, 2, 6}) {
        plan.parameters.outputs.release_cycles = release_cycles;
        // A packet that becomes head-of-line after a tail requests in the next cycle at the earliest.
        const Cycle spacing = 1 + std::max<Cycle>(release_cycles, 1);
        EXPECT_EQ(tail_spacings(plan), (std::vector<Cycle>{spacing, spacing, spacing})) << release_cycles;
    }
}

TEST_P(ChangingOutputs, APacketThatWaitsHasItsTurnInTheCycleOfATail) {
    // From the left and from the right to the middle tile.
    TrafficPlan plan = mesh_plan(3, 1);
    for (int number = 0; number < 4; ++number) {
        plan.packets.push_back(packet(0, 1, 8));
        plan.packets.push_back(packet(2, 1, 8));
    }
    plan.parameters.outputs.turn_cycles = 1;
    for (const Cycle release_cycles : {0, 1, 3}) {
        plan.parameters.outputs.release_cycles = release_cycles;
        EXPECT_EQ(tail_spacings(plan), std::vector<Cycle>(7, 8 + release_cycles)) << release_cycles;
    }
}

TEST_P(ChangingOutputs, AnOutputAtRestTakesWhatComesStraightAtOnce) {
    // From the left and from below to the middle tile, simultaneously.
    TrafficPlan plan = mesh_plan(3, 3);
    plan.packets = {packet(3, 4, 2), packet(7, 4, 2)};
    plan.parameters.outputs.turn_cycles = 1;
    plan.parameters.outputs.release_cycles = 0;
    plan.parameters.outputs.straight_input_of_tile = kUpPort;
    const auto heads = [&] {
        const std::vector<PacketTimes> packets = run(plan);
        return std::vector<Cycle>{packets[0].head, packets[1].head};
    };
    // Both reach the router in cycle 3: in cycle 1 they were in their source's router, which had turned to them.
    plan.parameters.outputs.rest_at_straight_input = true;
    EXPECT_EQ(heads(), (std::vector<Cycle>{5, 3}));
    plan.parameters.outputs.rest_at_straight_input = false;
    EXPECT_EQ(heads(), (std::vector<Cycle>{4, 6}));
}

TEST_P(ChangingOutputs, AnOutputAtRestWithoutSpaceTakesTurns) {
    // The tile above accepts nothing until cycle 100, and the first packet fills the buffer before it. The packet from
    // below cannot leave at once, so the packet from the left is next.
    TrafficPlan plan = mesh_plan(2, 3);
    plan.parameters.outputs.turn_cycles = 1;
    plan.parameters.outputs.release_cycles = 0;
    plan.parameters.outputs.straight_input_of_tile = kUpPort;
    plan.parameters.outputs.rest_at_straight_input = true;
    plan.blockings = {{1, 0, 100}};
    plan.packets = {packet(5, 1, 4), packet(5, 1, 4, 20), packet(2, 1, 4, 20)};
    EXPECT_EQ(order_of_arrival(plan), (std::vector<std::size_t>{0, 2, 1}));
    plan.blockings.clear();
    EXPECT_EQ(order_of_arrival(plan), (std::vector<std::size_t>{0, 1, 2}));
}

TEST_P(ChangingOutputs, AnOutputAtRestToABlockedTileTakesTurns) {
    // The middle tile accepts nothing until cycle 100. Packets come from the left and from below simultaneously.
    TrafficPlan plan = mesh_plan(3, 3);
    plan.parameters.outputs.straight_input_of_tile = kUpPort;
    plan.parameters.outputs.rest_at_straight_input = true;
    plan.packets = {packet(3, 4, 2), packet(7, 4, 2)};
    EXPECT_EQ(order_of_arrival(plan), (std::vector<std::size_t>{1, 0}));
    plan.blockings = {{4, 0, 100}};
    EXPECT_EQ(order_of_arrival(plan), (std::vector<std::size_t>{0, 1}));
}

TEST_P(ChangingOutputs, InputPortsTakeTurnsInTheirOrder) {
    // From all sides and from the tile itself to the middle tile, simultaneously.
    TrafficPlan plan = mesh_plan(3, 3);
    plan.packets = {packet(4, 4, 8, 2), packet(3, 4, 8), packet(5, 4, 8), packet(1, 4, 8), packet(7, 4, 8)};
    plan.parameters.outputs.turn_cycles = 1;
    EXPECT_EQ(order_of_arrival(plan), (std::vector<std::size_t>{kRightPort, kLeftPort, kDownPort, kUpPort, kNiuPort}));
    plan.parameters.outputs.turns_at_tile = {kDownPort, kLeftPort, kNiuPort, kUpPort, kRightPort};
    EXPECT_EQ(order_of_arrival(plan), (std::vector<std::size_t>{kUpPort, kRightPort, kDownPort, kLeftPort, kNiuPort}));
    // Round-robin continues from the straight input, independent of the last grant.
    plan.parameters.outputs.rest_at_straight_input = true;
    plan.parameters.outputs.straight_input_of_tile = kRightPort;
    EXPECT_EQ(order_of_arrival(plan), (std::vector<std::size_t>{kRightPort, kDownPort, kLeftPort, kNiuPort, kUpPort}));
    plan.parameters.outputs.turns_at_tile.clear();
    plan.parameters.outputs.turns_at_links = {kDownPort, kLeftPort, kNiuPort, kUpPort, kRightPort};
    EXPECT_EQ(order_of_arrival(plan), (std::vector<std::size_t>{kRightPort, kLeftPort, kDownPort, kUpPort, kNiuPort}));
}

TEST(ChangingOutputsErrors, TurnsAreOfEachInputPortOnce) {
    for (const std::vector<int>& turns : {std::vector<int>{0, 1, 2, 3}, {0, 1, 2, 3, 3}, {1, 2, 3, 4, 5}}) {
        TrafficPlan plan = mesh_plan(2, 2);
        plan.packets = {packet(0, 1, 1)};
        plan.parameters.outputs.turns_at_links = turns;
        EXPECT_THROW(run_traffic(plan), InputError);
        plan.parameters.outputs.turns_at_links.clear();
        plan.parameters.outputs.turns_at_tile = turns;
        EXPECT_THROW(run_traffic(plan), InputError);
    }
}

}  // namespace

}  // namespace nocbench
