#include "device_model/noc/engine/window_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/noc/make_network.h"

namespace nocbench {

std::unique_ptr<Network> make_network(const Topology& topology, const NetworkParameters& parameters,
                                      PacketPool& packets, NetworkClient& client) {
    using Torus = engine::WindowNetwork<3, kTorusVirtualChannels>;
    using Mesh = engine::WindowNetwork<5, kMeshVirtualChannels>;
    const bool has_datelines = std::ranges::any_of(topology.links, &Topology::Link::is_dateline);
    const int channels = parameters.software_virtual_channels * (has_datelines ? 2 : 1);
    const int channels_max = topology.num_ports == 3 ? kTorusVirtualChannels : kMeshVirtualChannelsMax;
    if (channels < 1 || channels > channels_max) {
        throw InputError(fmt::format(
            "virtual channels of a link: expected 1 to {} (those of both sets, as bits of a mask), found {}",
            channels_max, channels));
    }
    switch (topology.num_ports) {
        case 3:
            return std::make_unique<Torus>(topology, parameters, packets, client);
        case 5:
            if (channels > kMeshVirtualChannels || topology.adaptive != AdaptiveRouting::none) {
                return engine::make_wide_mesh(topology, parameters, packets, client);
            }
            return std::make_unique<Mesh>(topology, parameters, packets, client);
        default:
            throw InputError(fmt::format("routers of a network: expected 3 or 5 ports, found {}", topology.num_ports));
    }
}

}  // namespace nocbench
