#include "device_model/noc/make_network.h"

#include "device_model/arch/architecture.h"
#include "device_model/noc/packet_level/packet_level_network.h"

namespace nocbench {

std::unique_ptr<Network> make_network(Accuracy accuracy, const Topology& topology, const NetworkParameters& parameters,
                                      PacketPool& packets, NetworkClient& client) {
    if (accuracy == Accuracy::fast) {
        return std::make_unique<PacketLevelNetwork>(topology, parameters, packets, client);
    }
    return make_network(topology, parameters, packets, client);
}

}  // namespace nocbench
