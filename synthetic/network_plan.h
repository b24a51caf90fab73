// Networks that carry synthetic traffic: plain ones from the literature, and those of the modeled chips.
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
    std::vector<NodeIndex> nodes;  // nodes with a sender and a receiver
    int num_streams = 1;           // virtual channels that a source uses round-robin
    bool is_static = false;        // packets keep their virtual channel
    Tick source_ticks_per_data_flit = kTicksPerCycle;
    Tick sink_ticks_per_data_flit = kTicksPerCycle;
    Cycle ejection_cycles = 0;  // from the last router to the receiver
    FloorPlan floor_plan;
    Accuracy accuracy = Accuracy::exact;
    int noc = 0;  // index among the networks of the floor plan, whose directions are in port order

    /// Route of a packet between two nodes: number of links, and of turns in routers.
    struct Way {
        std::uint16_t hops = 0;
        std::uint16_t turns = 0;
    };

    [[nodiscard]] Way way(NodeIndex from, NodeIndex to) const;

    /// Returns cycles from the creation of a packet to its last flit at the receiver, without contention.
    [[nodiscard]] Cycle unhindered_cycles(const Way& way, int flits) const;
};

enum class PlainTopology : std::uint8_t { mesh, torus, unidirectional_torus };

/// Network of routers from the literature. Defaults are those of BookSim2, the reference simulator: a pipeline of four
/// stages (route computation, virtual-channel allocation, switch allocation, switch traversal), a link delay of one
/// cycle, and three cycles from a flit's departure from a buffer to the use of its credit upstream.
struct PlainNetwork {
    PlainTopology topology = PlainTopology::mesh;
    Shape shape;
    MeshRouting routing = MeshRouting::x_first;  // of a mesh
    int virtual_channels = 4;  // per link; on a torus, half of them are for packets that have crossed a dateline
    int buffer_flits = 8;      // per virtual channel
    Cycle hop_cycles = 5;
    Cycle credit_return_cycles = 3;
    Cycle injection_cycles = 2;  // one from the source, one to the router
    // NOLINTBEGIN(readability-redundant-member-init): designated initializers may skip members
    std::optional<int> injection_buffer_flits = {};  // per stream, before the router; none: buffer_flits
    std::optional<Cycle> ejection_cycles = {};       // from the last router to the receiver; none: hop_cycles
    OutputRules outputs = {};
    // NOLINTEND(readability-redundant-member-init)
};

/// Returns a network with equivalent virtual channels: a packet takes any free one.
NetworkPlan plain_network(const PlainNetwork& network);

/// Returns the network of an architecture of kind plain_mesh.
NetworkPlan mesh_of_architecture(const Architecture& architecture, const Board& board);

/// Returns the shape of a chip's live Tensix tiles, in columns and rows that need not be adjacent.
[[nodiscard]] Shape tensix_shape(const Grid& grid);

/// Returns one NoC of a chip with its live Tensix tiles. Packets are unicast requests on `virtual_channels` static
/// virtual channels.
NetworkPlan modeled_network(const Architecture& architecture, const Grid& grid, int noc, int virtual_channels);

}  // namespace nocbench::synthetic
