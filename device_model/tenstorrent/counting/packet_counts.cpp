#include "device_model/tenstorrent/counting/packet_counts.h"

#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "device_model/tenstorrent/niu/multicast_trees.h"

namespace nocbench {

namespace {

/// Directions of the links of a NoC by output port, and last that of the port from the tile.
std::array<Direction, 4> directions_of(int noc) {
    return {Direction::to_tile, noc == 0 ? Direction::east : Direction::west,
            noc == 0 ? Direction::south : Direction::north, Direction::from_tile};
}

constexpr std::size_t kFromTile = 3;

std::string name_of(PacketKind kind, bool is_multicast) {
    return (is_multicast ? "multicast " : "") + std::string(packet_kind_name(kind));
}

}  // namespace

void PacketCounts::append_use(const Grid& grid, int noc, const Topology& topology, const Network& network,
                              const MulticastTrees& trees, std::vector<PacketUse>& use) const {
    using Place = std::tuple<std::string, NodeIndex, std::size_t>;  // kind, router, output port or kFromTile
    std::map<Place, std::uint64_t> flits_of;
    for (const auto& [way, flits] : flits_) {
        const auto& [kind, source, destination, tree] = way;
        const std::string name = name_of(kind, tree != kNoTree);
        flits_of[{name, source, kFromTile}] += flits.over_links;
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
    const std::array<Direction, 4> directions = directions_of(noc);
    std::map<std::pair<NodeIndex, std::size_t>, std::uint64_t> of_link;
    for (const auto& [place, flits] : flits_of) {
        const auto& [name, node, port] = place;
        use.push_back({name, {noc, grid.place_of_node(node), directions[port], flits}});
        of_link[{node, port}] += flits;
    }
    for (int index = 0; index < topology.num_nodes; ++index) {
        for (std::size_t port = kNiuPort; port < kFromTile; ++port) {
            const auto node = static_cast<NodeIndex>(index);
            const std::uint64_t failed = network.flits_sent(node, static_cast<int>(port)) - of_link[{node, port}];
            if (failed != 0) {
                use.push_back({"failed reservation", {noc, grid.place_of_node(node), directions[port], failed}});
            }
        }
    }
}

}  // namespace nocbench
