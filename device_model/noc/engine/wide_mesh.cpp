#include "device_model/noc/engine/window_network.h"

namespace nocbench::engine {

std::unique_ptr<Network> make_wide_mesh(const Topology& topology, const NetworkParameters& parameters,
                                        PacketPool& packets, NetworkClient& client) {
    return std::make_unique<WindowNetwork<5, kMeshVirtualChannelsMax>>(topology, parameters, packets, client);
}

}  // namespace nocbench::engine
