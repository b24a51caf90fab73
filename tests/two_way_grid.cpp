#include "tests/two_way_grid.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace nocbench::test {

namespace {

/// From one place to another along an axis of `size` places: +1, -1, or 0 at the end of the way.
int direction(int from, int to, int size, bool wraps) {
    const int distance = to - from;
    if (!wraps) {
        return distance > 0 ? 1 : distance < 0 ? -1 : 0;
    }
    const int up = (distance + size) % size;
    return up == 0 ? 0 : 2 * up <= size ? 1 : -1;
}

struct Direction {
    int x;
    int y;
};

constexpr std::array<Direction, 5> kDirections{{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

int port_to(const Direction& wanted) {
    int port = 0;
    while (kDirections.at(static_cast<std::size_t>(port)).x != wanted.x ||
           kDirections.at(static_cast<std::size_t>(port)).y != wanted.y) {
        ++port;
    }
    return port;
}

}  // namespace

Topology two_way_grid(int columns, int rows, bool wraps) {
    Topology topology;
    topology.num_nodes = columns * rows;
    topology.num_ports = static_cast<int>(kDirections.size());
    for (int node = 0; node < topology.num_nodes; ++node) {
        const int x = node % columns;
        const int y = node / columns;
        for (std::size_t port = 0; port < kDirections.size(); ++port) {
            const int next_x = x + kDirections.at(port).x;
            const int next_y = y + kDirections.at(port).y;
            const bool is_over_the_edge = next_x < 0 || next_x == columns || next_y < 0 || next_y == rows;
            Topology::Link link;
            link.neighbour = static_cast<NodeIndex>((next_y + rows) % rows * columns + (next_x + columns) % columns);
            link.neighbour_port = static_cast<std::uint8_t>(port);
            link.is_dateline = is_over_the_edge;
            link.exists = port != kNiuPort && (wraps || !is_over_the_edge);
            topology.links.push_back(link.exists ? link : Topology::Link{});
        }
        for (int destination = 0; destination < topology.num_nodes; ++destination) {
            const int to_x = direction(x, destination % columns, columns, wraps);
            const int to_y = direction(y, destination / columns, rows, wraps);
            const int port = to_x != 0 ? port_to({to_x, 0}) : port_to({0, to_y});
            topology.next_port.push_back(static_cast<std::uint8_t>(port));
        }
    }
    return topology;
}

}  // namespace nocbench::test
