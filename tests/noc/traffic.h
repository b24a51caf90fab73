// Packets that are planned beforehand, sent through a network of their own, and what became of them. The network is the
// engine, its specification, or the one that is simulated packet by packet.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <ostream>
#include <vector>

#include "device_model/noc/accelerators.h"
#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/specification/flit_by_flit_network.h"
#include "device_model/noc/topology.h"
#include "device_model/noc/wait_for_graph.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench::test {

struct PlannedPacket {
    NodeIndex source = 0;
    NodeIndex destination = 0;  // of a unicast
    std::uint16_t flits = 1;    // header included, what reserves the path of a multicast not
    std::uint8_t virtual_channel = 0;
    bool is_static = true;
    int stream = kStreamOfVirtualChannel;
    Cycle ready = 0;          // sent then or, if packets of its stream are before it, after them
    Tick ticks_per_flit = 0;  // limit of its rate; 0: none
    int answer_flits = 0;     // once it has arrived, each destination answers with a packet of so many
    int tree = kUnicast;      // index in TrafficPlan::trees
    bool linked = false;      // to the next packet of its stream, which has to be of the same tree

    static constexpr int kUnicast = -1;
    static constexpr int kStreamOfVirtualChannel = -1;

    [[nodiscard]] int injection_stream() const { return stream == kStreamOfVirtualChannel ? virtual_channel : stream; }
};

/// The routers that a multicast passes.
struct PlannedTree {
    NodeIndex source = 0;
    std::vector<NodeIndex> receivers;
    std::vector<std::vector<NodeIndex>> ways;  // to each receiver, both ends included
    Cycle grant_cycles = 0;                    // from the answer to a reservation to the header

    /// Hops to the farthest receiver.
    [[nodiscard]] Cycle depth() const;
};

/// A node that takes no requests for a while.
struct PlannedBlocking {
    NodeIndex node = 0;
    Cycle begin = 0;
    Cycle end = 0;
};

struct TrafficPlan {
    int columns = 2;
    int rows = 2;
    int noc = 0;
    bool has_datelines = true;
    std::optional<Topology> topology;  // if it is another one than the torus that `columns` to `has_datelines` describe
    NetworkParameters parameters;
    int answer_streams = 1;  // of a node: responses take these in turn
    bool polls = false;  // nodes that have anything to send ask in each cycle whether they can, instead of being told
    /// A node that has to answer so many of a virtual channel takes no further requests of it meanwhile.
    std::optional<int> requests_held_per_channel_max;
    std::vector<Tick> source_ticks;  // by node, or empty: a flit per cycle
    std::vector<Tick> sink_ticks;
    std::vector<Tick> multicast_sink_ticks;  // or empty: those of unicasts
    std::vector<NodeIndex> metered_nodes;
    std::optional<Cycle>
        data_pause_cycles;  // metered nodes take one packet's data at a time, and then none for so long
    std::vector<PlannedBlocking> blockings;
    std::vector<PlannedTree> trees;
    std::vector<PlannedPacket> packets;
};

/// What came out of the network at a destination.
struct Ejection {
    Cycle head = kNever;
    Cycle tail = kNever;
    int times_ejected = 0;
    int data_flits = 0;  // where they are metered or counted

    bool operator==(const Ejection&) const = default;
};

/// Of a unicast, the ejection is that at its destination; of a multicast, that at the first receiver.
struct PacketTimes : Ejection {
    Cycle started = kNever;         // given to its stream
    Cycle finished = kNever;        // read out of its tile
    Cycle path_requested = kNever;  // of a multicast that is not linked to the one before
    Cycle path_reserved = kNever;
    std::vector<Ejection> further_ejections;  // of a multicast, at its other destinations

    /// At the destination with the number `index`.
    [[nodiscard]] const Ejection& at(std::size_t index) const;

    bool operator==(const PacketTimes&) const = default;
};

struct TrafficOutcome {
    std::vector<PacketTimes> packets;           // as planned, and then answers in order of the packets that they answer
    std::vector<std::uint64_t> flits_sent;      // [node * ports + port]
    std::vector<std::uint64_t> flits_injected;  // [node]
    std::uint64_t flit_hops = 0;
    std::size_t packets_in_flight = 0;
    bool ran_out_of_time = false;
    std::vector<WaitingPacket> wait_for_cycle;  // of packets that wait for each other, where nothing moves any more

    bool operator==(const TrafficOutcome&) const = default;
};

/// A line per packet, for failures of tests that compare outcomes.
void PrintTo(const TrafficOutcome& outcome, std::ostream* stream);

/// Every packet that a plan leads to: those planned and then their answers, in the order of TrafficOutcome::packets.
std::vector<PlannedPacket> with_answers(const TrafficPlan& plan);

/// Who moves the flits.
enum class Mover : std::uint8_t { engine, engine_without_accelerators, specification, packet_level };

/// Sends all packets and runs until nothing moves or `cycles_max` have passed.
TrafficOutcome run_traffic(const TrafficPlan& plan, Mover mover = Mover::engine, Cycle cycles_max = 2'000'000);

/// The same, on the engine with some of its accelerators only. `uses`, if given, is how often each was tried.
using AcceleratorUses = std::array<AcceleratorUse, kNumAccelerators>;
TrafficOutcome run_traffic(const TrafficPlan& plan, AcceleratorSet accelerators, AcceleratorUses* uses = nullptr);

/// The same, on the specification, with somebody watching every flit.
TrafficOutcome run_traffic(const TrafficPlan& plan, specification::FlitObserver& observer);

/// The wiring that a plan is for.
Topology topology_of(const TrafficPlan& plan);

/// Nodes from the source to the destination of a unicast, both included, as a map of the torus shows them. In another
/// topology, as its tables say.
std::vector<NodeIndex> way(const TrafficPlan& plan, NodeIndex source, NodeIndex destination);

/// Where any packet goes to.
std::vector<NodeIndex> destinations(const TrafficPlan& plan, const PlannedPacket& packet);

/// Where data flits are counted: at every other node, if they are not metered there and nothing depends on them.
bool counts_data_flits(const TrafficPlan& plan, NodeIndex node);

/// The way to each of its destinations, in the same order.
std::vector<std::vector<NodeIndex>> ways(const TrafficPlan& plan, const PlannedPacket& packet);

/// Columns of a rectangle, in the direction of the links.
struct ColumnSpan {
    int first = 0;
    int count = 1;
};

/// The tree from `source` to `receivers`, all in `columns`: along x to the first of these columns, unless the source is
/// in one of them; then along y, and in each row along x.
PlannedTree plan_tree(const TrafficPlan& plan, NodeIndex source, const std::vector<NodeIndex>& receivers,
                      const ColumnSpan& columns);

/// The output port of a node of a way, by its place on the way.
int port_on_way(const TrafficPlan& plan, const std::vector<NodeIndex>& way, std::size_t step);

}  // namespace nocbench::test
