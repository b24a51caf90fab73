// Specification without other parts: small cases whose every cycle can be worked out with pencil and paper. Unless
// stated otherwise, a hop takes 9 cycles, a credit 6 and injection into the router 5; a virtual channel can buffer 16
// flits, one of them private.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "device_model/noc/specification/flit_by_flit_network.h"
#include "tests/noc/random_traffic.h"
#include "tests/noc/traffic.h"

namespace nocbench {

namespace {

using specification::ChannelPlace;
using specification::Flit;
using specification::FlitObserver;
using test::Mover;
using test::PacketTimes;
using test::plan_tree;
using test::PlannedPacket;
using test::TrafficPlan;
using test::usual_parameters;

/// Nodes are y * columns + x; links go to the right and down, along x first.
TrafficPlan torus(int columns, int rows) {
    TrafficPlan plan;
    plan.columns = columns;
    plan.rows = rows;
    plan.parameters = usual_parameters();
    return plan;
}

PlannedPacket unicast(int source, int destination, int flits, int virtual_channel = 0, Cycle ready = 0) {
    PlannedPacket packet;
    packet.source = static_cast<NodeIndex>(source);
    packet.destination = static_cast<NodeIndex>(destination);
    packet.flits = static_cast<std::uint16_t>(flits);
    packet.virtual_channel = static_cast<std::uint8_t>(virtual_channel);
    packet.ready = ready;
    return packet;
}

PlannedPacket dynamic(PlannedPacket packet) {
    packet.is_static = false;
    return packet;
}

PlannedPacket multicast(const TrafficPlan& plan, int tree, int flits, Cycle ready = 0) {
    PlannedPacket packet =
        unicast(plan.trees.at(static_cast<std::size_t>(tree)).source, 0, flits, kFirstBroadcastVirtualChannel, ready);
    packet.tree = tree;
    return packet;
}

/// Returns a tree in one row of a torus, to the right from `source` through all receivers.
test::PlannedTree tree_in_row(const TrafficPlan& plan, NodeIndex source, const std::vector<NodeIndex>& receivers) {
    return plan_tree(plan, source, receivers, {receivers.front(), static_cast<int>(receivers.size())});
}

std::vector<PacketTimes> run(const TrafficPlan& plan) { return run_traffic(plan, Mover::specification).packets; }

/// First and last cycle in which flits of a packet passed the port to the tile.
struct Span {
    Cycle head = 0;
    Cycle tail = 0;

    bool operator==(const Span&) const = default;
};

std::ostream& operator<<(std::ostream& stream, const Span& span) { return stream << span.head << '-' << span.tail; }

Span ejected(const PacketTimes& times, std::size_t receiver = 0) {
    return {times.at(receiver).head, times.at(receiver).tail};
}

std::vector<Span> ejected(const std::vector<PacketTimes>& packets) {
    std::vector<Span> spans;
    spans.reserve(packets.size());
    for (const PacketTimes& times : packets) {
        spans.push_back(ejected(times));
    }
    return spans;
}

/// Record of the virtual channels of the flits that passed one output port.
class ChannelLog final : public FlitObserver {
public:
    ChannelLog(NodeIndex node, int port) : node_(node), port_(port) {}

    [[nodiscard]] const std::vector<int>& channels() const { return channels_; }

    void flit_read(NodeIndex /*node*/, const Flit& /*flit*/, Cycle /*cycle*/) override {}
    void flit_buffered(NodeIndex /*node*/, const ChannelPlace& /*input*/, const Flit& /*flit*/,
                       Cycle /*cycle*/) override {}
    void flit_taken(NodeIndex /*node*/, const ChannelPlace& /*input*/, const Flit& /*flit*/, Cycle /*cycle*/) override {
    }
    void flit_sent(NodeIndex node, const ChannelPlace& output, const Flit& /*flit*/, Cycle /*cycle*/) override {
        if (node == node_ && output.port == port_) {
            channels_.push_back(output.channel);
        }
    }

private:
    NodeIndex node_;
    int port_;
    std::vector<int> channels_;
};

std::vector<int> channels_used(const TrafficPlan& plan, NodeIndex node, int port) {
    ChannelLog log(node, port);
    run_traffic(plan, log);
    return log.channels();
}

TEST(FlitByFlitNetwork, ALonePacketTakesItsWayIntoTheRouterAndItsHops) {
    TrafficPlan plan = torus(4, 3);
    plan.packets = {unicast(0, 11, 7, 0, 100)};
    const PacketTimes times = run(plan)[0];
    EXPECT_EQ(times.started, 100);
    EXPECT_EQ(times.finished, 106);
    EXPECT_EQ(ejected(times), (Span{100 + 5 + 5 * 9, 100 + 5 + 5 * 9 + 6}));
}

TEST(FlitByFlitNetwork, APacketToItsOwnTilePassesOneRouter) {
    TrafficPlan plan = torus(2, 2);
    plan.packets = {unicast(3, 3, 4)};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{5, 8}}));
}

TEST(FlitByFlitNetwork, RatesAreExactInTicks) {
    TrafficPlan plan = torus(2, 2);
    plan.source_ticks.assign(4, kTicksPerCycle);
    plan.sink_ticks.assign(4, 15'000);
    plan.packets = {unicast(0, 0, 5)};
    // The header takes cycle 5, and the data flits take cycles 6 to 7.5, 7.5 to 9, 9 to 10.5 and so on.
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{5, 10}}));
    plan.sink_ticks.assign(4, kTicksPerCycle);
    plan.source_ticks.assign(4, 15'000);
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{5, 10}}));
}

TEST(FlitByFlitNetwork, ACreditIsBackAHopAndItsOwnWayAfterTheFlit) {
    TrafficPlan plan = torus(4, 2);
    plan.parameters.shared_flits_per_input_port = 0;
    plan.parameters.shared_flits_per_virtual_channel_max = 0;
    plan.packets = {unicast(0, 2, 4)};
    // One flit every 9 + 6 cycles.
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{5 + 2 * 9, 5 + 2 * 9 + 3 * 15}}));
    plan.parameters.private_flits_per_virtual_channel = 3;
    // Three flits every 9 + 6 cycles.
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{5 + 2 * 9, 5 + 2 * 9 + 15}}));
}

TEST(FlitByFlitNetwork, VirtualChannelsOfAPortShareThePool) {
    TrafficPlan plan = torus(4, 2);
    plan.parameters.shared_flits_per_input_port = 2;
    plan.parameters.shared_flits_per_virtual_channel_max = 2;
    // The tile of node 1 accepts nothing: the first packet occupies its private flit and both pool flits of the buffer.
    plan.packets = {unicast(0, 1, 5, 0), unicast(0, 2, 4, 1, 50)};
    plan.blockings = {{1, 0, 200}};
    // The second packet has only its private flit.
    EXPECT_EQ(ejected(run(plan)[1]), (Span{50 + 5 + 18, 50 + 5 + 18 + 3 * 15}));
    // With at most one pool flit per channel, the second packet gets the other pool flit.
    plan.parameters.shared_flits_per_virtual_channel_max = 1;
    EXPECT_EQ(ejected(run(plan)[1]), (Span{50 + 5 + 18, 50 + 5 + 18 + 15 + 1}));
}

TEST(FlitByFlitNetwork, TwoCreditsComeBackOverALinkInOneCycle) {
    TrafficPlan plan = torus(4, 2);
    plan.parameters.shared_flits_per_input_port = 0;
    plan.parameters.shared_flits_per_virtual_channel_max = 0;
    // In cycle 100 one flit of each packet leaves router 1: the first packet's, which the tile did not accept before,
    // and the second packet's head, in bypass. Both credits return in cycle 106. Then the first packet is served, since
    // the second was served last.
    plan.packets = {unicast(0, 1, 2, 0), unicast(0, 2, 2, 1, 86)};
    plan.blockings = {{1, 0, 100}};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{100, 106 + 9}, {109, 107 + 18}}));
}

TEST(FlitByFlitNetwork, ALinkRestsAfterSoManyFlitsOnEnd) {
    TrafficPlan plan = torus(4, 2);
    plan.parameters.link_flits_on_end_max = 8;
    plan.packets = {unicast(0, 1, 20)};
    // Flits 0 to 7, 8 to 15 and 16 to 19, with an idle cycle in between.
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{5 + 9, 5 + 9 + 21}}));
    // Flits on later links already have these gaps.
    plan.packets = {unicast(0, 3, 20)};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{5 + 27, 5 + 27 + 21}}));
    // The port to the tile needs no idle cycles.
    plan.packets = {unicast(0, 0, 20)};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{5, 24}}));
}

TEST(FlitByFlitNetwork, FlitsOfAllVirtualChannelsCountAndACycleWithoutOneIsARest) {
    TrafficPlan plan = torus(4, 2);
    plan.parameters.link_flits_on_end_max = 8;
    // The second packet begins in the cycle after the first one's last flit, so its fourth flit is the ninth in a row.
    plan.packets = {unicast(0, 1, 5, 0), unicast(0, 1, 5, 1, 5)};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{14, 18}, {19, 24}}));
    // After an idle cycle, the count restarts.
    plan.packets = {unicast(0, 1, 5, 0), unicast(0, 1, 5, 1, 6)};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{14, 18}, {20, 24}}));
}

TEST(FlitByFlitNetwork, AVirtualChannelHasOnePacketUntilItsTail) {
    TrafficPlan plan = torus(4, 2);
    plan.packets = {unicast(0, 2, 10), unicast(1, 2, 10)};
    // The second packet has the link from cycle 5 to 14. The first packet, waiting since cycle 14, gets it after its
    // release.
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{15 + 9, 24 + 9}, {5 + 9, 14 + 9}}));
}

TEST(FlitByFlitNetwork, VirtualChannelsTakeTurnsFlitByFlit) {
    TrafficPlan plan = torus(4, 2);
    plan.packets = {unicast(0, 2, 10, 0), unicast(1, 2, 20, 1)};
    // The second packet is alone from cycle 5 to 13. Then the first sends in cycles 14, 16, ... 32, and the second in
    // 15, 17, ... 33, with its tail in 34.
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{14 + 9, 32 + 9}, {5 + 9, 34 + 9}}));
}

TEST(FlitByFlitNetwork, TheTurnIsThatOfTheNextOutputChannel) {
    // Three packets reach their router long before the tile accepts them; round-robin begins after channel 0.
    TrafficPlan plan = torus(2, 2);
    plan.packets = {unicast(0, 0, 2, 3), unicast(0, 0, 2, 0), unicast(0, 0, 2, 2)};
    plan.blockings = {{0, 0, 100}};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{101, 104}, {102, 105}, {100, 103}}));
}

TEST(FlitByFlitNetwork, FlitsOfOneInputPortLeaveThroughSeveralOutputsInOneCycle) {
    TrafficPlan plan = torus(4, 2);
    // The tile accepts the first packet from cycle 100 on. The second passes the router in the same cycles.
    plan.packets = {unicast(0, 1, 8, 0), unicast(0, 2, 8, 1, 86)};
    plan.blockings = {{1, 0, 100}};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{100, 107}, {109, 116}}));
    // With one flit per input port, the port with the lower number, to the tile, is served first.
    plan.parameters.one_flit_per_input_port = true;
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{100, 107}, {108 + 9, 115 + 9}}));
}

TEST(FlitByFlitNetwork, InputPortsTakeTurnsForAVirtualChannel) {
    // Heads of three packets to one tile arrive in cycle 14, over two links and from the tile itself. Other packets
    // follow them.
    TrafficPlan plan = torus(3, 3);
    for (int count = 0; count < 2; ++count) {
        plan.packets.push_back(unicast(4, 4, 3, 0, 9));  // input port 0
        plan.packets.push_back(unicast(3, 4, 3));        // input port 1
        plan.packets.push_back(unicast(1, 4, 3));        // input port 2
    }
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{20, 22}, {14, 16}, {17, 19}, {29, 31}, {23, 25}, {26, 28}}));
}

/// A packet of node 5's tile has channel 0 of the link down to node 9 until cycle 44. Other packets wait for it: over
/// port 1, two of node 4 and two of node 7, which are on another channel since they crossed the dateline.
TrafficPlan a_turn_with_two_channels() {
    TrafficPlan plan = torus(4, 4);
    plan.packets = {unicast(5, 9, 40)};
    for (int count = 0; count < 2; ++count) {
        plan.packets.push_back(unicast(4, 9, 3));
        plan.packets.push_back(unicast(7, 9, 3));
    }
    return plan;
}

TEST(FlitByFlitNetwork, ChannelsOfAnInputPortTakeTurnsForAVirtualChannel) {
    EXPECT_EQ(ejected(run(a_turn_with_two_channels())),
              (std::vector<Span>{{14, 53}, {54, 56}, {57, 59}, {60, 62}, {63, 65}}));
}

TEST(FlitByFlitNetwork, AnInputPortHasOneTurnHoweverManyOfItsChannelsWait) {
    TrafficPlan plan = a_turn_with_two_channels();
    // Two more packets come over port 2. Its grants lie between those of port 1, so port 1 begins with its lowest
    // channel each time.
    plan.packets.push_back(unicast(1, 9, 3));
    plan.packets.push_back(unicast(1, 9, 3));
    const std::vector<Span> expected{{14, 53}, {54, 56}, {66, 68}, {60, 62}, {69, 71}, {57, 59}, {63, 65}};
    EXPECT_EQ(ejected(run(plan)), expected);
}

TEST(FlitByFlitNetwork, WhoComesToTheFrontBehindATailGoesInTheNextCycleThroughWhicheverPort) {
    // A packet to its own tile, port 0, that is not accepted before cycle 100, and one packet behind it.
    TrafficPlan plan = torus(3, 3);
    plan.packets = {unicast(0, 0, 1), unicast(0, 1, 1)};
    plan.blockings = {{0, 0, 100}};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{100, 100}, {101 + 9, 101 + 9}}));
    plan.packets[1].destination = 0;
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{100, 100}, {101, 101}}));

    // A packet through port 1, granted in cycle 20. Behind it wait a packet to port 2 and a packet to port 0.
    plan = torus(3, 3);
    plan.parameters.shared_flits_per_input_port = 0;
    plan.parameters.shared_flits_per_virtual_channel_max = 0;
    plan.packets = {unicast(0, 1, 2), unicast(0, 3, 1)};
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{14, 29}, {21 + 9, 21 + 9}}));
    plan.packets[1].destination = 0;
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{14, 29}, {21, 21}}));
}

TEST(FlitByFlitNetwork, TheSecondSetIsEnteredOverTheDatelineAndLeftOnATurn) {
    // Route from (2, 0) over the edge to (1, 0) and down to (1, 2), then over the lower edge to (1, 1).
    TrafficPlan plan = torus(4, 3);
    plan.packets = {unicast(2, 5, 1, 3)};
    EXPECT_EQ(channels_used(plan, 2, kXPort), (std::vector<int>{3}));
    EXPECT_EQ(channels_used(plan, 3, kXPort), (std::vector<int>{3 + 8}));
    EXPECT_EQ(channels_used(plan, 0, kXPort), (std::vector<int>{3 + 8}));
    EXPECT_EQ(channels_used(plan, 1, kYPort), (std::vector<int>{3}));
    EXPECT_EQ(channels_used(plan, 5, kNiuPort), (std::vector<int>{3}));
    plan.packets = {unicast(9, 5, 1, 3)};
    EXPECT_EQ(channels_used(plan, 9, kYPort), (std::vector<int>{3 + 8}));
    EXPECT_EQ(channels_used(plan, 1, kYPort), (std::vector<int>{3 + 8}));
    EXPECT_EQ(channels_used(plan, 5, kNiuPort), (std::vector<int>{3 + 8}));
}

TEST(FlitByFlitNetwork, AtTheTileTheSetsAreDifferentVirtualChannels) {
    TrafficPlan plan = torus(4, 2);
    plan.packets = {unicast(3, 0, 4), unicast(0, 0, 4, 0, 9)};
    // Both arrive in cycle 14; the packet that crossed the dateline is on channel 8.
    EXPECT_EQ(ejected(run(plan)), (std::vector<Span>{{14, 20}, {15, 21}}));
}

TEST(FlitByFlitNetwork, StreamsAreNotVirtualChannels) {
    // Streams from the ninth on are for responses. A packet of any stream begins in the first set of virtual channels.
    TrafficPlan plan = torus(4, 2);
    plan.packets = {dynamic(unicast(0, 2, 1, kFirstResponseVirtualChannel)), unicast(0, 0, 1, 6)};
    plan.packets[0].stream = 10;
    plan.packets[1].stream = 11;
    EXPECT_EQ(channels_used(plan, 0, kXPort), (std::vector<int>{6}));
    EXPECT_EQ(channels_used(plan, 0, kNiuPort), (std::vector<int>{6}));
}

TEST(FlitByFlitNetwork, ADynamicPacketTakesItsOwnChannelIfThatIsFree) {
    TrafficPlan plan = torus(4, 2);
    plan.packets = {dynamic(unicast(1, 2, 3, 1))};
    EXPECT_EQ(channels_used(plan, 1, kXPort), (std::vector<int>{1, 1, 1}));
    // The channel is reused even while flits of the previous packet are in the buffer downstream.
    plan.packets = {unicast(1, 2, 4, 1), dynamic(unicast(1, 2, 1, 1))};
    EXPECT_EQ(channels_used(plan, 1, kXPort), (std::vector<int>{1, 1, 1, 1, 1}));
    // The channel is occupied, so the packet takes another one of its group.
    plan.packets = {unicast(1, 2, 9, 0), dynamic(unicast(1, 2, 2, 0, 2))};
    plan.packets[1].stream = 1;  // otherwise it would follow the first
    EXPECT_EQ(channels_used(plan, 1, kXPort), (std::vector<int>{0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(FlitByFlitNetwork, ADynamicPacketLeavesOtherChannelsToThoseWhoseOwnTheyAre) {
    TrafficPlan plan = torus(4, 2);
    plan.parameters.dynamic_group = 2;
    // The third packet waits for either channel, and the fourth for channel 1, which is released first. Round-robin
    // would select the third packet's port next.
    plan.packets = {unicast(1, 2, 60, 0), unicast(1, 2, 40, 1), dynamic(unicast(0, 2, 2, 0)), unicast(1, 2, 2, 1)};
    plan.packets[3].stream = 3;
    const std::vector<Span> spans = ejected(run(plan));
    EXPECT_GT(spans[2].head, spans[3].tail);
    EXPECT_LT(spans[2].tail, spans[0].tail);
}

TEST(FlitByFlitNetwork, ADynamicPacketWhoseOwnChannelIsTakenTakesTheOneWithTheFewestFlitsDownstream) {
    TrafficPlan plan = torus(4, 2);
    plan.parameters.dynamic_group = 4;
    // The last credit of the first packet returns in cycle 5 + 3 + 9 + 6 = 23, when the third packet reaches its router
    // if it is ready in 18.
    for (const Cycle ready : {6, 17, 18}) {
        plan.packets = {unicast(1, 2, 4, 0), unicast(1, 2, 100, 2, 4), dynamic(unicast(1, 2, 1, 2, ready))};
        plan.packets[2].stream = 4;  // otherwise it would follow the second
        const std::vector<int> used = channels_used(plan, 1, kXPort);
        EXPECT_EQ(std::ranges::count(used, ready < 18 ? 1 : 0), ready < 18 ? 1 : 5) << ready;
    }
}

TEST(FlitByFlitNetwork, GroupsAreAsLargeAsIsSaid) {
    TrafficPlan plan = torus(4, 2);
    plan.packets = {unicast(1, 2, 9, 2), unicast(1, 2, 1, 3, 1), dynamic(unicast(1, 2, 1, 2, 2))};
    plan.packets[2].stream = 4;  // otherwise it would follow the first
    plan.parameters.dynamic_group = 1;
    EXPECT_EQ(channels_used(plan, 1, kXPort), (std::vector<int>{2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2}));
    plan.parameters.dynamic_group = 2;
    EXPECT_EQ(channels_used(plan, 1, kXPort), (std::vector<int>{2, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2}));
    plan.parameters.dynamic_group = 4;
    EXPECT_EQ(channels_used(plan, 1, kXPort), (std::vector<int>{2, 3, 0, 2, 2, 2, 2, 2, 2, 2, 2}));
}

TEST(FlitByFlitNetwork, ResponsesHaveGroupsOfTheirOwn) {
    TrafficPlan plan = torus(4, 2);
    plan.parameters.dynamic_group = 4;
    plan.packets = {unicast(1, 2, 9, 6), dynamic(unicast(1, 2, 1, 6, 2))};
    plan.packets[1].stream = 7;  // otherwise it would follow the first
    EXPECT_EQ(channels_used(plan, 1, kXPort), (std::vector<int>{6, 6, 7, 6, 6, 6, 6, 6, 6, 6}));
    plan.parameters.dynamic_response_group = 1;
    EXPECT_EQ(channels_used(plan, 1, kXPort), (std::vector<int>{6, 6, 6, 6, 6, 6, 6, 6, 6, 6}));
}

TEST(FlitByFlitNetwork, ATileThatTakesOnePacketAtATimeLetsHeadersThrough) {
    TrafficPlan plan = torus(4, 2);
    plan.packets = {unicast(0, 1, 20, 0), unicast(0, 1, 20, 1), unicast(0, 1, 1, 2, 3)};
    plan.metered_nodes = {1};
    const std::vector<Span> in_turns = ejected(run(plan));
    // Channel 1 comes first, since channel 0 counts as the one served last.
    EXPECT_EQ(in_turns[0].tail, in_turns[1].tail + 1);
    plan.data_pause_cycles = 0;
    const std::vector<Span> together = ejected(run(plan));
    EXPECT_EQ(together[1].head, in_turns[1].head);
    EXPECT_LE(together[1].tail, in_turns[1].tail);
    EXPECT_EQ(together[0].head, in_turns[0].head);
    EXPECT_GE(together[0].tail, together[1].tail + 19);
    EXPECT_LT(together[2].tail, together[1].tail);  // a packet without data
}

TEST(FlitByFlitNetwork, ATileTakesNoDataForAWhile) {
    TrafficPlan plan = torus(4, 2);
    plan.metered_nodes = {1};
    for (const int channel : {0, 1}) {
        plan.packets = {unicast(0, 1, 20, 0), unicast(0, 1, 20, channel), unicast(0, 1, 1, 2, 3)};
        plan.data_pause_cycles = 100;
        const std::vector<Span> spans = ejected(run(plan));
        const auto [first, second] = std::minmax(spans[0].tail, spans[1].tail);
        EXPECT_EQ(second, first + 100 + 19);
        EXPECT_LT(spans[2].tail, first);  // a packet without data
    }
}

// Other topologies: a mesh, whose routers have five ports, and another number of virtual channels.

TEST(FlitByFlitNetwork, ATorusOfLinksInBothDirectionsHasADatelineInEach) {
    TrafficPlan plan;
    plan.parameters = usual_parameters();
    plan.parameters.software_virtual_channels = 4;
    plan.parameters.first_response_virtual_channel = 4;
    plan.topology = bidirectional_torus(5, 2);
    // Packets to the left and to the right over the edge.
    plan.packets = {unicast(1, 4, 1, 3)};
    EXPECT_EQ(channels_used(plan, 1, kLeftPort), (std::vector<int>{3}));
    EXPECT_EQ(channels_used(plan, 0, kLeftPort), (std::vector<int>{3 + 4}));
    plan.packets = {unicast(3, 0, 1, 2)};
    EXPECT_EQ(channels_used(plan, 3, kRightPort), (std::vector<int>{2}));
    EXPECT_EQ(channels_used(plan, 4, kRightPort), (std::vector<int>{2 + 4}));
    EXPECT_EQ(channels_used(plan, 0, kNiuPort), (std::vector<int>{2 + 4}));
}

TEST(FlitByFlitNetwork, AMeshWithFourVirtualChannels) {
    constexpr int kColumns = 4;
    constexpr int kRows = 3;
    TrafficPlan plan;
    plan.parameters = usual_parameters();
    plan.parameters.software_virtual_channels = 4;
    plan.parameters.first_response_virtual_channel = 4;
    plan.parameters.dynamic_group = 4;
    plan.topology = mesh(kColumns, kRows);
    // All pairs, one packet at a time.
    Cycle ready = 0;
    std::vector<Span> expected;
    for (int source = 0; source < kColumns * kRows; ++source) {
        for (int destination = 0; destination < kColumns * kRows; ++destination) {
            plan.packets.push_back(unicast(source, destination, 3, destination % 4, ready));
            const Cycle hops = std::abs(source % kColumns - destination % kColumns) +
                               std::abs(source / kColumns - destination / kColumns);
            expected.push_back({ready + 5 + 9 * hops, ready + 5 + 9 * hops + 2});
            ready += 100;
        }
    }
    EXPECT_EQ(ejected(run(plan)), expected);
}

TEST(FlitByFlitNetwork, AMulticastGoesWhenItsWholeTreeHasAnswered) {
    TrafficPlan plan = torus(5, 2);
    plan.trees = {tree_in_row(plan, 0, {1, 2})};
    plan.trees[0].grant_cycles = 3;
    plan.packets = {multicast(plan, 0, 10)};
    const PacketTimes times = run(plan)[0];
    EXPECT_EQ(times.path_requested, 5);
    // Two hops forward, two answers of 7 cycles each back, and the grant.
    EXPECT_EQ(times.path_reserved, 5 + 2 * 9 + 2 * 7 + 3);
    EXPECT_EQ(ejected(times, 0), (Span{40 + 9, 40 + 9 + 9}));
    EXPECT_EQ(ejected(times, 1), (Span{40 + 18, 40 + 18 + 9}));
}

TEST(FlitByFlitNetwork, AReservationThatFailsIsTriedAgainAfterAWait) {
    // The second tree has the link from node 1 to node 2 from cycle 5 on. Its packet starts when node 2 has answered,
    // in cycle 5 + 9 + 7 = 21; with 20 flits, its tail is sent in cycle 40.
    TrafficPlan plan = torus(5, 2);
    plan.trees = {tree_in_row(plan, 0, {2}), tree_in_row(plan, 1, {2})};
    plan.packets = {multicast(plan, 0, 3), multicast(plan, 1, 20)};
    plan.packets[0].virtual_channel = plan.packets[1].virtual_channel = 5;
    std::vector<PacketTimes> times = run(plan);
    EXPECT_EQ(times[1].path_reserved, 21);
    EXPECT_EQ(ejected(times[1]), (Span{30, 49}));
    // The first reservation fails in node 1 in cycle 14, and the source is notified in 21. It waits for 1 + 15 cycles:
    // 15 of at most 31 is the hash of 0 (0xe220a8397b1dcdaf, the well-known first number of splitmix64). The
    // reservation sent in cycle 37 finds all links free.
    EXPECT_EQ(times[0].path_requested, 5);
    EXPECT_EQ(times[0].path_reserved, 37 + 2 * 9 + 2 * 7);
    EXPECT_EQ(ejected(times[0]), (Span{69 + 18, 69 + 18 + 2}));

    // With the tail in cycle 60, the reservation fails again in cycle 46, and the source is notified in 53. The hash of
    // 1 << 16 is 0x9aab36cfda2d1b3: a wait of 1 + 51 cycles of at most 64.
    plan.packets[1].flits = 40;
    times = run(plan);
    EXPECT_EQ(times[0].path_reserved, 53 + 52 + 2 * 9 + 2 * 7);
}

TEST(FlitByFlitNetwork, ASourceWhoseOwnOutputIsTakenWaitsToo) {
    // The first tree has the link from node 1 to node 2 from cycle 14 on. Its packet starts in cycle 5 + 18 + 14 = 37;
    // its tail is in node 1 in cycle 37 + 9 + 29 = 75.
    TrafficPlan plan = torus(5, 2);
    plan.trees = {tree_in_row(plan, 0, {2}), tree_in_row(plan, 1, {2})};
    plan.packets = {multicast(plan, 0, 30), multicast(plan, 1, 1, 30)};
    const std::vector<PacketTimes> times = run(plan);
    EXPECT_EQ(times[0].path_reserved, 37);
    // The second tree is requested in cycles 35, 37 (the hash of 1 is 0x910a2dec89025cc1: 1 + 1 of at most 32) and 85
    // (the hash of 1 + (1 << 16) is 0x5f4c1dac282d656f: 1 + 47 of at most 64).
    EXPECT_EQ(times[1].path_requested, 35);
    EXPECT_EQ(times[1].path_reserved, 85 + 9 + 7);
}

TEST(FlitByFlitNetwork, AMulticastAndAUnicastTakeTurns) {
    TrafficPlan plan = torus(5, 2);
    plan.trees = {tree_in_row(plan, 0, {1, 2})};
    // From node 1 on they share the link. The header arrives in 5 + 18 + 14 + 9 = 46.
    plan.packets = {multicast(plan, 0, 5), unicast(1, 3, 100)};
    const PacketTimes times = run(plan)[0];
    EXPECT_EQ(ejected(times, 0), (Span{46, 54}));
    EXPECT_EQ(ejected(times, 1), (Span{55, 63}));
}

TEST(FlitByFlitNetwork, AMulticastGivesWayToResponsesTwicePerFlit) {
    TrafficPlan plan = torus(5, 2);
    plan.trees = {tree_in_row(plan, 0, {1, 2})};
    plan.packets = {multicast(plan, 0, 5), unicast(1, 3, 100, kFirstResponseVirtualChannel)};
    const PacketTimes times = run(plan)[0];
    EXPECT_EQ(ejected(times, 0), (Span{48, 48 + 4 * 3}));
    EXPECT_EQ(ejected(times, 1), (Span{57, 57 + 4 * 3}));
}

TEST(FlitByFlitNetwork, AFlitOfAMulticastWaitsUntilAllItsOutputsCanTakeIt) {
    TrafficPlan plan = torus(5, 2);
    plan.trees = {tree_in_row(plan, 0, {1, 2})};
    plan.packets = {multicast(plan, 0, 5)};
    plan.blockings = {{1, 0, 200}};
    const PacketTimes times = run(plan)[0];
    EXPECT_EQ(ejected(times, 0), (Span{200, 204}));
    EXPECT_EQ(ejected(times, 1), (Span{209, 213}));
}

TEST(FlitByFlitNetwork, LinkedMulticastsFollowWithoutReserving) {
    TrafficPlan plan = torus(5, 2);
    plan.trees = {tree_in_row(plan, 0, {1, 2})};
    plan.packets = {multicast(plan, 0, 5), multicast(plan, 0, 5), multicast(plan, 0, 5)};
    plan.packets[0].linked = true;
    const std::vector<PacketTimes> times = run(plan);
    EXPECT_EQ(times[0].path_reserved, 37);
    EXPECT_EQ(times[1].path_reserved, kNever);
    // The third packet requests its tree when the tail of the second has left, in cycle 47.
    EXPECT_EQ(times[2].path_requested, 46);
    EXPECT_EQ(times[2].path_reserved, 47 + 32);
    EXPECT_EQ(ejected(times), (std::vector<Span>{{46, 50}, {51, 55}, {88, 92}}));
}

}  // namespace

}  // namespace nocbench
