#include "device_model/epiphany/mesh/mesh_ways.h"

#include <algorithm>

namespace nocbench {

MeshWays::MeshWays(const Topology& topology)
    : topology_(topology),
      ways_(static_cast<std::size_t>(topology.num_nodes) * static_cast<std::size_t>(topology.num_nodes)),
      uses_(static_cast<std::size_t>(topology.num_nodes) * static_cast<std::size_t>(topology.num_ports + 1)),
      holders_(uses_.size(), kNobody) {}

const std::vector<MeshWays::Output>& MeshWays::way(NodeIndex from, NodeIndex to) {
    std::vector<Output>& way = ways_[from * static_cast<std::size_t>(topology_.num_nodes) + to];
    if (way.empty()) {
        const auto output = [&](int node, int port) {
            return static_cast<Output>(node * (topology_.num_ports + 1) + port);
        };
        way.push_back(output(from, topology_.num_ports));  // of the tile
        topology_.follow_route(from, to, [&](int node, int /*input*/, int port) { way.push_back(output(node, port)); });
    }
    return way;
}

bool MeshWays::is_free(NodeIndex from, NodeIndex to) {
    return std::ranges::all_of(way(from, to),
                               [&](Output output) { return uses_[output] == 0 && holders_[output] == kNobody; });
}

void MeshWays::reserve(NodeIndex from, NodeIndex to, NodeIndex holder) {
    ++num_reservations_;
    for (const Output output : way(from, to)) {
        holders_[output] = holder;
    }
}

void MeshWays::give_back(NodeIndex from, NodeIndex to) {
    --num_reservations_;
    for (const Output output : way(from, to)) {
        holders_[output] = kNobody;
    }
}

std::optional<NodeIndex> MeshWays::holder(NodeIndex from, NodeIndex to) {
    if (num_reservations_ == 0) {
        return std::nullopt;
    }
    const auto& outputs = way(from, to);
    const auto found = std::ranges::find_if(outputs, [&](Output output) { return holders_[output] != kNobody; });
    return found == outputs.end() ? std::nullopt : std::optional(holders_[*found]);
}

}  // namespace nocbench
