#include "device_model/tenstorrent/counting/packet_counts.h"

#include <bit>
#include <cstddef>
#include <utility>

#include "device_model/tenstorrent/niu/multicast_trees.h"
#include "device_model/tenstorrent/noc_parameters.h"

namespace nocbench {

namespace {

/// Directions of the links of a NoC by output port, and last that of the port from the tile.
std::vector<Direction> directions_of(const Grid& grid, int noc) {
    const std::vector<NocLink> links = noc_links(grid, noc);
    std::vector<Direction> directions(links.size() + 1, Direction::to_tile);
    for (const auto& [port, direction] : links) {
        directions.at(static_cast<std::size_t>(port)) = direction;
    }
    directions.push_back(Direction::from_tile);
    return directions;
}

std::string name_of(PacketKind kind, bool is_multicast) {
    return (is_multicast ? "multicast " : "") + std::string(packet_kind_name(kind));
}

}  // namespace

void PacketCounts::append_use(const Grid& grid, int noc, const Topology& topology, const Network& network,
                              const MulticastTrees& trees, std::vector<PacketUse>& use) const {
    using Place = std::tuple<std::string, NodeIndex, std::size_t>;  // kind, router, output port or `from_tile`
    const std::vector<Direction> directions = directions_of(grid, noc);
    const std::size_t from_tile = directions.size() - 1;
    std::map<Place, std::uint64_t> flits_of;
    for (const auto& [way, flits] : flits_) {
        const auto& [kind, source, destination, tree] = way;
        const std::string name = name_of(kind, tree != kNoTree);
        flits_of[{name, source, from_tile}] += flits.over_links;
        const auto add = [&, count = flits](int node, int port) {
            flits_of[{name, static_cast<NodeIndex>(node), static_cast<std::size_t>(port)}] +=
                port == kNiuPort ? count.into_tiles : count.over_links;
        };
        if (tree == kNoTree) {
            topology.follow_route(source, destination, [&](int node, int /*input*/, int port) { add(node, port); });
            continue;
        }
        const std::vector<std::uint8_t>& outputs = trees[tree].outputs;
        for (std::size_t node = 0; node < outputs.size(); ++node) {
            for (unsigned ports = outputs[node]; ports != 0; ports &= ports - 1) {
                add(static_cast<int>(node), std::countr_zero(ports));
            }
        }
    }
    std::map<std::pair<NodeIndex, std::size_t>, std::uint64_t> of_link;
    for (const auto& [place, flits] : flits_of) {
        const auto& [name, node, port] = place;
        use.push_back({name, {noc, grid.place_of_node(node), directions[port], flits}});
        of_link[{node, port}] += flits;
    }
    for (int index = 0; index < topology.num_nodes; ++index) {
        for (std::size_t port = kNiuPort; port < from_tile; ++port) {
            const auto node = static_cast<NodeIndex>(index);
            const std::uint64_t failed = network.flits_sent(node, static_cast<int>(port)) - of_link[{node, port}];
            if (failed != 0) {
                use.push_back({"failed reservation", {noc, grid.place_of_node(node), directions[port], failed}});
            }
        }
    }
}

}  // namespace nocbench
