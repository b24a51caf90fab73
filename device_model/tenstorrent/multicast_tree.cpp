#include "device_model/tenstorrent/multicast_tree.h"

#include <algorithm>

#include "device_model/noc/topology.h"
#include "device_model/sim/narrow.h"

namespace nocbench {

namespace {

int around(int value, int size) { return (value % size + size) % size; }

/// Ports along an axis: in the direction of growing NoC coordinates, and the other way in a mesh.
struct AxisPorts {
    int forward = 0;
    int backward = 0;
};

/// True if `value` lies between `first` and `last` on a ring.
bool is_within(int value, int first, int last, int size) {
    return around(value - first, size) <= around(last - first, size);
}

}  // namespace

std::vector<NodeIndex> multicast_receivers(const Grid& grid, int noc, const MulticastRectangle& rectangle) {
    std::vector<NodeIndex> receivers;
    for (const PhysicalCoordinate place : grid.live_tensix()) {
        const NocCoordinate tile = grid.noc_coordinate(noc, place);
        if (is_within(tile.x, rectangle.first.x, rectangle.last.x, grid.columns()) &&
            is_within(tile.y, rectangle.first.y, rectangle.last.y, grid.rows())) {
            receivers.push_back(static_cast<NodeIndex>(grid.node_index(place)));
        }
    }
    std::ranges::sort(receivers);
    return receivers;
}

MulticastTree multicast_tree(const Grid& grid, int noc, PhysicalCoordinate source, const MulticastRectangle& rectangle,
                             bool includes_source) {
    const int columns = grid.columns();
    const int rows = grid.rows();
    const NocCoordinate from = grid.noc_coordinate(noc, source);
    const bool is_inside = is_within(from.x, rectangle.first.x, rectangle.last.x, columns);
    const int first_reached = grid.is_mesh() && from.x > rectangle.last.x ? rectangle.last.x : rectangle.first.x;
    const int trunk_x = is_inside ? from.x : first_reached;
    const AxisPorts along_x = grid.is_mesh() ? AxisPorts{kRightPort, kLeftPort} : AxisPorts{kXPort};
    const AxisPorts along_y = grid.is_mesh() ? AxisPorts{kDownPort, kUpPort} : AxisPorts{kYPort};

    MulticastTree tree;
    tree.outputs.resize(static_cast<std::size_t>(grid.num_nodes()));
    tree.receivers = multicast_receivers(grid, noc, rectangle);
    if (!includes_source) {
        std::erase(tree.receivers, static_cast<NodeIndex>(grid.node_index(source)));
    }
    for (const NodeIndex receiver : tree.receivers) {
        const NocCoordinate to = grid.noc_coordinate(noc, grid.place_of_node(receiver));
        NocCoordinate at = from;
        int hops = 0;
        const auto use = [&](int port) {
            const auto node = static_cast<std::size_t>(grid.node_index(grid.physical(noc, at)));
            tree.outputs[node] = static_cast<std::uint8_t>(tree.outputs[node] | 1U << port);
        };
        const auto travel = [&](int& coordinate, int end, int size, AxisPorts ports) {
            const bool goes_back = grid.is_mesh() && end < coordinate;
            while (coordinate != end) {
                use(goes_back ? ports.backward : ports.forward);
                coordinate = around(coordinate + (goes_back ? -1 : 1), size);
                ++hops;
            }
        };
        travel(at.x, trunk_x, columns, along_x);
        travel(at.y, to.y, rows, along_y);
        travel(at.x, to.x, columns, along_x);
        use(kNiuPort);
        tree.hops.push_back(narrow<std::uint16_t>(hops, "hops of a multicast"));
        tree.depth = std::max(tree.depth, hops);
    }
    return tree;
}

}  // namespace nocbench
