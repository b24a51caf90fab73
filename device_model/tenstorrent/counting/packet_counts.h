// Flits of the packets on one NoC by kind, source and way, to be laid along the links that they used.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/machine.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

class MulticastTrees;

class PacketCounts {
public:
    void add(const Packet& packet) {
        const bool is_unicast = packet.tree == kNoTree;
        Flits& flits =
            flits_[{packet.kind, packet.source, is_unicast ? packet.destination : NodeIndex{0}, packet.tree}];
        flits.over_links += packet.flits;
        flits.into_tiles += static_cast<std::uint64_t>(packet.flits_from_header());
    }

    /// Appends the flits over each link of NoC `noc`, by kind of packet. Routes are fixed, so that a packet's links
    /// follow from its ends. Other flits of `network` are those of multicasts whose reservation failed.
    void append_use(const Grid& grid, int noc, const Topology& topology, const Network& network,
                    const MulticastTrees& trees, std::vector<PacketUse>& use) const;

private:
    using Way = std::tuple<PacketKind, NodeIndex, NodeIndex, TreeIndex>;  // kind, source, destination, tree

    struct Flits {
        std::uint64_t over_links = 0;
        std::uint64_t into_tiles = 0;  // reservation flits end in the last routers of their tree
    };

    std::map<Way, Flits> flits_;
};

}  // namespace nocbench
