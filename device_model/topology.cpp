#include "device_model/topology.h"

namespace nocbench {

Topology unidirectional_torus(int columns, int rows, int noc, bool has_datelines) {
    const int step = noc == 0 ? 1 : -1;
    const bool x_first = noc == 0;
    Topology topology;
    topology.num_nodes = columns * rows;
    topology.num_ports = 3;
    topology.links.resize(static_cast<std::size_t>(topology.num_nodes * topology.num_ports));
    topology.next_port.resize(static_cast<std::size_t>(topology.num_nodes) *
                              static_cast<std::size_t>(topology.num_nodes));

    const auto node_at = [&](int x, int y) {
        return static_cast<NodeIndex>((y + rows) % rows * columns + (x + columns) % columns);
    };
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            const int node = node_at(x, y);
            const auto link = [&](int port) -> Topology::Link& {
                return topology.links[static_cast<std::size_t>(node * topology.num_ports + port)];
            };
            const int last_x = noc == 0 ? columns - 1 : 0;
            const int last_y = noc == 0 ? rows - 1 : 0;
            link(kXPort) = {node_at(x + step, y), kXPort, has_datelines && x == last_x, true};
            link(kYPort) = {node_at(x, y + step), kYPort, has_datelines && y == last_y, true};
            for (int to_y = 0; to_y < rows; ++to_y) {
                for (int to_x = 0; to_x < columns; ++to_x) {
                    int port = kNiuPort;
                    if (x_first) {
                        port = to_x != x ? kXPort : to_y != y ? kYPort : kNiuPort;
                    } else {
                        port = to_y != y ? kYPort : to_x != x ? kXPort : kNiuPort;
                    }
                    topology.next_port[static_cast<std::size_t>(node) * static_cast<std::size_t>(topology.num_nodes) +
                                       node_at(to_x, to_y)] = static_cast<std::uint8_t>(port);
                }
            }
        }
    }
    return topology;
}

}  // namespace nocbench
