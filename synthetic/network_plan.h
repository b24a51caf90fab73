// A network to send traffic through: plain ones, as the literature has them, and those of the modeled chips.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/machine.h"
#include "device_model/tenstorrent/grid.h"
#include "synthetic/pattern.h"

namespace nocbench::synthetic {

struct NetworkPlan {
    Topology topology;
    NetworkParameters parameters;
    Shape shape;
    std::vector<NodeIndex> nodes;  // [place]: the node of the sender and receiver there
    int num_streams = 1;           // virtual channels that a source uses in turn
    bool is_static = false;        // packets keep their virtual channel
    Tick source_ticks_per_data_flit = kTicksPerCycle;
    Tick sink_ticks_per_data_flit = kTicksPerCycle;
    Cycle ejection_cycles = 0;  // from the last router to the receiver
    FloorPlan floor_plan;
    Accuracy accuracy = Accuracy::exact;
    int noc = 0;  // which of its networks it is; directions of links are in the order of ports

    /// What a packet passes from one node to another: links, and routers that have to turn to it.
    struct Way {
        std::uint16_t hops = 0;
        std::uint16_t turns = 0;
    };

    [[nodiscard]] Way way(NodeIndex from, NodeIndex to) const;

    /// Cycles from the creation of a packet to its last flit at the receiver, if nothing is in its way.
    [[nodiscard]] Cycle unhindered_cycles(const Way& way, int flits) const;
};

enum class PlainTopology : std::uint8_t { mesh, torus, unidirectional_torus };

/// Routers as the literature has them. By default they are those of the simulator that others are compared with,
/// BookSim2: a pipeline of four stages (route, allocate a virtual channel, allocate the switch, traverse the switch)
/// and a link of one cycle; three cycles from a flit that leaves a buffer to the credit that is used upstream.
struct PlainNetwork {
    PlainTopology topology = PlainTopology::mesh;
    Shape shape;
    int virtual_channels = 4;  // of a link; of a torus, half of them for packets that have crossed a dateline
    int buffer_flits = 8;      // of a virtual channel
    Cycle hop_cycles = 5;
    Cycle credit_return_cycles = 3;
    Cycle injection_cycles = 2;  // one to leave the source, and one on the way to the router
    // NOLINTBEGIN(readability-redundant-member-init): those who name some members need not name all
    std::optional<int> injection_buffer_flits = {};  // of a stream, before the router; none: as many as buffer_flits
    std::optional<Cycle> ejection_cycles = {};       // from the last router to the receiver; none: hop_cycles
    OutputRules outputs = {};
    // NOLINTEND(readability-redundant-member-init)
};

/// A network whose virtual channels are all alike: a packet takes any that is free.
NetworkPlan plain_network(const PlainNetwork& network);

/// The network of an architecture of kind plain_mesh.
NetworkPlan mesh_of_architecture(const Architecture& architecture, const Board& board);

/// The live Tensix tiles of a chip: they stand in columns and rows, if not next to each other.
[[nodiscard]] Shape tensix_shape(const Grid& grid);

/// One NoC of a chip, with its live Tensix tiles. Packets are unicast requests, on `virtual_channels` static virtual
/// channels.
NetworkPlan modeled_network(const Architecture& architecture, const Grid& grid, int noc, int virtual_channels);

}  // namespace nocbench::synthetic
