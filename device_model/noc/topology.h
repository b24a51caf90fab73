// Wiring of routers, and routes of packets, as tables: networks need not know the shape.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "device_model/noc/packet.h"

namespace nocbench {

/// Port of every router to the network interface of its tile.
inline constexpr int kNiuPort = 0;

/// Routing that chooses among outputs at run time: docs/engine_rules.md, "Adaptive routing".
enum class AdaptiveRouting : std::uint8_t { none, odd_even, minimal };

/// Virtual channel of `minimal` that never leaves the fixed routes.
inline constexpr int kEscapeChannel = 0;

/// Links and routes. Ports other than 0 are numbered by direction of travel: a packet that goes straight on leaves
/// through the output port with the number of its input port.
struct Topology {
    struct Link {
        NodeIndex neighbour = 0;
        std::uint8_t neighbour_port = 0;
        bool is_dateline = false;  // crossing it moves a packet to the second set of virtual channels
        bool exists = false;
    };

    /// Lines in which a node lies.
    struct Position {
        std::uint16_t column = 0;
        std::uint16_t row = 0;
    };

    // Added to an output port in `towards`. The greater sum decides which port a packet takes.
    static constexpr std::uint8_t kTakenSecond = 8;
    static constexpr std::uint8_t kTakenFirst = 16;

    int num_nodes = 0;
    int num_ports = 0;
    std::vector<Link> links;  // [node * num_ports + output port]; port 0 has no link
    int columns = 0;
    int num_lines = 0;                // columns, and the rows behind them
    std::vector<Position> positions;  // [node]
    // Output ports to each line; 0 in it. A table of all pairs of nodes would take longer to fill than a large network
    // takes for a thousand cycles.
    std::vector<std::uint8_t> towards;                 // [node * num_lines + line]
    AdaptiveRouting adaptive = AdaptiveRouting::none;  // of a mesh; `towards` then has the ways of lone packets

    [[nodiscard]] const Link& link(int node, int port) const {
        return links[static_cast<std::size_t>(node * num_ports + port)];
    }
    [[nodiscard]] int route(int node, int destination) const {
        const Position to = positions[static_cast<std::size_t>(destination)];
        const std::uint8_t* const ports = &towards[static_cast<std::size_t>(node * num_lines)];
        return std::max(ports[to.column], ports[to.row]) % kTakenSecond;
    }
    /// Returns a bit for each output port that a packet may leave by if routing is adaptive. Each leads nearer to the
    /// destination.
    [[nodiscard]] unsigned permitted_ports(int node, int destination, int input_port) const;
    /// Calls `act(node, input_port, output_port)` for each router on the way; the last output leads to the tile.
    template <class Act>
    void follow_route(int source, int destination, const Act& act) const {
        int input_port = kNiuPort;
        for (int node = source;;) {
            const int port = route(node, destination);
            act(node, input_port, port);
            if (port == kNiuPort) {
                return;
            }
            const Link& onward = link(node, port);
            node = onward.neighbour;
            input_port = onward.neighbour_port;
        }
    }
    /// Returns a two-colouring of the nodes in which no link joins nodes of one colour; empty if there is none.
    [[nodiscard]] std::vector<bool> checkerboard() const;
    /// Returns the number of links on the way between two nodes.
    [[nodiscard]] int hops(int source, int destination) const;
};

// Nodes are numbered y * columns + x; x grows to the right and y downwards.

/// Ports of a router of a torus with unidirectional links.
inline constexpr int kXPort = 1;
inline constexpr int kYPort = 2;

/// Returns the wiring of a Tenstorrent NoC. NoC 0 runs to the right and down and routes X first; NoC 1 runs to the left
/// and up and routes Y first. Nodes are numbered in NoC 0 coordinates. The dateline of each ring is its wrap link: its
/// position is not published, and the wrap link is the natural choice. Source: Tenstorrent ISA documentation, NoC
/// routing paths.
Topology unidirectional_torus(int columns, int rows, int noc);

/// Ports of a router with bidirectional links.
inline constexpr int kRightPort = 1;
inline constexpr int kLeftPort = 2;
inline constexpr int kDownPort = 3;
inline constexpr int kUpPort = 4;

/// Returns a topology without datelines: packets keep their virtual channel around rings. Shows why datelines are
/// needed.
Topology without_datelines(Topology topology);

/// Routing functions of a mesh. Each gives shortest ways, and none allows a circle of packets that wait for each other.
enum class MeshRouting : std::uint8_t {
    x_first,
    y_first,
    west_first,  // first to the left if the destination lies there, otherwise first along y
    odd_even,  // adaptive: in even columns, no packet turns away from its way to the right; in odd ones, none turns to
               // the left. Source: Chiu, "The odd-even turn model for adaptive routing", IEEE TPDS 11 (2000)
    minimal_adaptive,  // any shortest way, beside a virtual channel that routes x first. Source: Duato, "A new theory
                       // of deadlock-free adaptive routing in wormhole networks", IEEE TPDS 4 (1993)
};

Topology mesh(int columns, int rows, MeshRouting routing = MeshRouting::x_first);

/// Mesh whose rows all lead over its right edge to one additional node, the link off the chip. A balanced tree joins
/// the rows between the edge and that node, so that arbitration is fair to all rows.
struct MeshWithEdgeLink {
    Topology topology;        // nodes of the mesh first, numbered as in mesh()
    NodeIndex edge_node = 0;  // source and destination of all off-chip packets
};

MeshWithEdgeLink mesh_with_edge_link(int columns, int rows);

/// Returns a torus with bidirectional links. Packets go along x first, and on each axis the shorter way. If both ways
/// are equally long, packets from nodes with even x + y go to the right or down and the others to the left or up, so
/// that both directions carry the same load. The dateline of each ring is its wrap link.
Topology bidirectional_torus(int columns, int rows);

}  // namespace nocbench
