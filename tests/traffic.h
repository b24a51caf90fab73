// Packets that are planned beforehand, sent through a network of their own, and what became of them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "device_model/network.h"
#include "device_model/packet.h"
#include "device_model/simulated_time.h"
#include "device_model/topology.h"

namespace nocbench::test {

struct PlannedPacket {
    NodeIndex source = 0;
    NodeIndex destination = 0;
    std::uint16_t flits = 1;
    std::uint8_t virtual_channel = 0;
    bool is_static = true;
    Cycle ready = 0;          // sent then or, if packets of its stream are before it, after them
    Tick ticks_per_flit = 0;  // limit of its rate; 0: none
    int answer_flits = 0;     // once it has arrived, the destination answers with a packet of so many
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
    NetworkParameters parameters;
    std::vector<Tick> source_ticks;  // by node, or empty: a flit per cycle
    std::vector<Tick> sink_ticks;
    std::vector<NodeIndex> metered_nodes;
    std::vector<PlannedBlocking> blockings;
    std::vector<PlannedPacket> packets;
};

struct PacketTimes {
    Cycle started = kNever;   // given to its stream
    Cycle finished = kNever;  // read out of its tile
    Cycle head = kNever;      // ejected
    Cycle tail = kNever;
    int times_ejected = 0;
    int data_flits_metered = 0;

    bool operator==(const PacketTimes&) const = default;
};

struct TrafficOutcome {
    std::vector<PacketTimes> packets;       // as planned, and then answers in order of the packets that they answer
    std::vector<std::uint64_t> flits_sent;  // [node * 3 + port]
    std::uint64_t flit_hops = 0;
    std::size_t packets_in_flight = 0;
    bool ran_out_of_time = false;

    bool operator==(const TrafficOutcome&) const = default;
};

/// Every packet that a plan leads to: those planned and then their answers, in the order of TrafficOutcome::packets.
std::vector<PlannedPacket> with_answers(const TrafficPlan& plan);

/// Sends all packets and runs until nothing moves or `cycles_max` have passed.
TrafficOutcome run_traffic(const TrafficPlan& plan, bool shortcuts = true, Cycle cycles_max = 2'000'000);

/// Nodes from the source to the destination, both included, as a map of the torus shows them.
std::vector<NodeIndex> way(const TrafficPlan& plan, NodeIndex source, NodeIndex destination);

}  // namespace nocbench::test
