// How routers are wired and how packets find their way: tables that a Network steps over without knowing the shape.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/noc/packet.h"

namespace nocbench {

/// Port 0 of every router leads to the network interface of its tile.
inline constexpr int kNiuPort = 0;

/// The other ports are numbered by direction of travel: a packet that goes straight on leaves through the output
/// port with the number of the input port that it came in by.
struct Topology {
    struct Link {
        NodeIndex neighbour = 0;
        std::uint8_t neighbour_port = 0;
        bool is_dateline = false;  // crossing it moves a packet to the second set of virtual channels
        bool exists = false;
    };

    int num_nodes = 0;
    int num_ports = 0;
    std::vector<Link> links;              // [node * num_ports + output port]; port 0 has none
    std::vector<std::uint8_t> next_port;  // [node * num_nodes + destination]

    [[nodiscard]] const Link& link(int node, int port) const {
        return links[static_cast<std::size_t>(node * num_ports + port)];
    }
    [[nodiscard]] int route(int node, int destination) const {
        return next_port[static_cast<std::size_t>(node) * static_cast<std::size_t>(num_nodes) +
                         static_cast<std::size_t>(destination)];
    }
    /// Nodes, every other one of them, between which there are no links, and none between the others; or nothing, if
    /// there is no way to do that.
    [[nodiscard]] std::vector<bool> checkerboard() const;
    /// Links on the way from one node to another.
    [[nodiscard]] int hops(int source, int destination) const;
};

// In all of these, nodes are numbered y * columns + x; x grows to the right and y downwards.

/// Ports of a router of a torus whose links run in one direction only.
inline constexpr int kXPort = 1;
inline constexpr int kYPort = 2;

/// The wiring of one Tenstorrent NoC. NoC 0 runs to the right and down and routes X first; NoC 1 runs to the left and
/// up and routes Y first. Nodes are numbered in NoC 0 coordinates. The dateline of each ring is its wrap link (its
/// place is not published; the wrap link is the natural choice). Source: Tenstorrent ISA documentation, NoC routing
/// paths.
Topology unidirectional_torus(int columns, int rows, int noc);

/// Ports of a router whose links run in both directions.
inline constexpr int kRightPort = 1;
inline constexpr int kLeftPort = 2;
inline constexpr int kDownPort = 3;
inline constexpr int kUpPort = 4;

/// The same wiring, in which packets keep their virtual channel around rings: what datelines are needed for.
Topology without_datelines(Topology topology);

/// A mesh. Packets go along x first.
Topology mesh(int columns, int rows);

/// A mesh whose rows all lead, over its right edge, to one more node: the link to the outside. Between the edge and
/// that node, rows are joined in a balanced tree, so that arbitration treats them alike.
struct MeshWithEdgeLink {
    Topology topology;        // nodes of the mesh first, numbered as in mesh()
    NodeIndex edge_node = 0;  // what leaves the chip goes there, and what enters it comes from there
};

MeshWithEdgeLink mesh_with_edge_link(int columns, int rows);

/// A torus with links in both directions. Packets go along x first, each axis the shorter way round. Where both ways of
/// a ring are equally long, packets from nodes with an even x + y go to the right or down and the others to the left or
/// up, so that neither direction carries more. The dateline of each ring is its wrap link.
Topology bidirectional_torus(int columns, int rows);

}  // namespace nocbench
