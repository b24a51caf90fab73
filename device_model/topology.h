// How routers are wired and how packets find their way: tables that a Network steps over without knowing the shape.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/packet.h"

namespace nocbench {

/// Port 0 of every router leads to the network interface of its tile.
inline constexpr int kNiuPort = 0;

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
        return next_port[static_cast<std::size_t>(node * num_nodes + destination)];
    }
};

/// Ports of a router of a torus whose links run in one direction only.
inline constexpr int kXPort = 1;
inline constexpr int kYPort = 2;

/// The wiring of one Tenstorrent NoC. NoC 0 runs to the right and down and routes X first; NoC 1 runs to the left and
/// up and routes Y first. Nodes are numbered y * columns + x in NoC 0 coordinates. The dateline of each ring is its
/// wrap link (its place is not published; the wrap link is the natural choice). Source: Tenstorrent ISA documentation,
/// NoC routing paths.
Topology unidirectional_torus(int columns, int rows, int noc, bool has_datelines = true);

}  // namespace nocbench
