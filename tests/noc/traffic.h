// Planned packets, sent through a single network, and their outcome. The network is the engine, its specification, or
// the packet-level network.
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
    std::uint16_t flits = 1;    // including the header, without the reservation of a multicast
    std::uint8_t virtual_channel = 0;
    bool is_static = true;
    int stream = kStreamOfVirtualChannel;
    Cycle ready = 0;          // earliest start; later if earlier packets of the stream are not finished
    Tick ticks_per_flit = 0;  // limit of the packet's rate; 0: none
    int answer_flits = 0;     // length of the answer that each destination sends on arrival; 0: none
    int tree = kUnicast;      // index in TrafficPlan::trees
    bool linked = false;      // to the next packet of its stream, which must have the same tree

    static constexpr int kUnicast = -1;
    static constexpr int kStreamOfVirtualChannel = -1;

    [[nodiscard]] int injection_stream() const { return stream == kStreamOfVirtualChannel ? virtual_channel : stream; }
};

/// Routers on the paths of a multicast.
struct PlannedTree {
    NodeIndex source = 0;
    std::vector<NodeIndex> receivers;
    std::vector<std::vector<NodeIndex>> ways;  // route to each receiver, including both ends
    Cycle grant_cycles = 0;                    // from the answer to a reservation until the header

    /// Returns the hops to the farthest receiver.
    [[nodiscard]] Cycle depth() const;
};

/// Node that accepts no requests for some time.
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
    std::optional<Topology> topology;  // if other than the torus described by `columns` to `has_datelines`
    NetworkParameters parameters;
    int answer_streams = 1;  // streams of a node, used by responses round-robin
    bool polls = false;      // nodes with packets to send poll the network each cycle instead of being notified
    /// Maximum number of unanswered requests of a virtual channel at a node; the node accepts no further ones.
    std::optional<int> requests_held_per_channel_max;
    std::vector<Tick> source_ticks;  // by node; empty: a flit per cycle
    std::vector<Tick> sink_ticks;
    std::vector<Tick> multicast_sink_ticks;  // by node; empty: as for unicasts
    std::vector<NodeIndex> metered_nodes;
    std::optional<Cycle>
        data_pause_cycles;  // pause of nodes with a rate limit, which accept data of one packet at a time
    std::vector<PlannedBlocking> blockings;
    std::vector<PlannedTree> trees;
    std::vector<PlannedPacket> packets;
};

/// Arrival of a packet at one destination.
struct Ejection {
    Cycle head = kNever;
    Cycle tail = kNever;
    int times_ejected = 0;
    int data_flits = 0;  // only where they are metered or counted

    bool operator==(const Ejection&) const = default;
};

/// Times of a packet. The base class has the ejection at the destination of a unicast, or at the first receiver of a
/// multicast.
struct PacketTimes : Ejection {
    Cycle started = kNever;         // accepted by its stream
    Cycle finished = kNever;        // read out of its tile
    int read_before_last_10 = 0;    // flits read more than 10 cycles before `finished`
    Cycle path_requested = kNever;  // only of a multicast that is not linked to its predecessor
    Cycle path_reserved = kNever;
    std::vector<Ejection> further_ejections;  // at the other destinations of a multicast

    /// Returns the ejection at destination `index`.
    [[nodiscard]] const Ejection& at(std::size_t index) const;

    bool operator==(const PacketTimes&) const = default;
};

struct TrafficOutcome {
    std::vector<PacketTimes> packets;           // planned packets, then answers in the order of the answered packets
    std::vector<std::uint64_t> flits_sent;      // indexed by node * ports + port
    std::vector<std::uint64_t> flits_injected;  // indexed by node
    std::uint64_t flit_hops = 0;
    std::size_t packets_in_flight = 0;
    bool ran_out_of_time = false;
    std::vector<WaitingPacket> wait_for_cycle;  // cycle of packets that wait for each other, in a deadlock

    bool operator==(const TrafficOutcome&) const = default;
};

/// Prints a line per packet, for failures of tests that compare outcomes.
void PrintTo(const TrafficOutcome& outcome, std::ostream* stream);

/// Returns the planned packets, followed by their answers, in the order of TrafficOutcome::packets.
std::vector<PlannedPacket> with_answers(const TrafficPlan& plan);

/// Implementation that moves the flits.
enum class Mover : std::uint8_t { engine, engine_without_accelerators, specification, packet_level };

/// Sends all packets, and runs until nothing moves or `cycles_max` have passed.
TrafficOutcome run_traffic(const TrafficPlan& plan, Mover mover = Mover::engine, Cycle cycles_max = 2'000'000);

/// Runs the plan on the engine with the given accelerators only. Counts the attempts of each in `uses`, unless it is
/// null.
using AcceleratorUses = std::array<AcceleratorUse, kNumAccelerators>;
TrafficOutcome run_traffic(const TrafficPlan& plan, AcceleratorSet accelerators, AcceleratorUses* uses = nullptr);

/// Runs the plan on the specification, with an observer of every flit.
TrafficOutcome run_traffic(const TrafficPlan& plan, specification::FlitObserver& observer);

/// Returns the wiring of a plan's network.
Topology topology_of(const TrafficPlan& plan);

/// Returns the nodes from source to destination of a unicast, including both. The route follows the map of the torus,
/// or the tables of another topology.
std::vector<NodeIndex> way(const TrafficPlan& plan, NodeIndex source, NodeIndex destination);

std::vector<NodeIndex> destinations(const TrafficPlan& plan, const PlannedPacket& packet);

/// Returns true if a node counts data flits: every second node, if its flits are not metered and nothing depends on
/// them.
bool counts_data_flits(const TrafficPlan& plan, NodeIndex node);

/// Returns the route to each destination, in the order of destinations().
std::vector<std::vector<NodeIndex>> ways(const TrafficPlan& plan, const PlannedPacket& packet);

/// Columns of a rectangle, in link direction.
struct ColumnSpan {
    int first = 0;
    int count = 1;
};

/// Returns the tree from `source` to `receivers`, all in `columns`. It runs along x to the first of these columns,
/// unless the source is in one of them, then along y, and in each row along x.
PlannedTree plan_tree(const TrafficPlan& plan, NodeIndex source, const std::vector<NodeIndex>& receivers,
                      const ColumnSpan& columns);

/// Returns the output port at step `step` of a route.
int port_on_way(const TrafficPlan& plan, const std::vector<NodeIndex>& way, std::size_t step);

}  // namespace nocbench::test
