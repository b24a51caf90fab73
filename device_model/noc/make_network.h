// Networks, simulated flit by flit or packet by packet.
#pragma once

#include <cstdint>
#include <memory>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"

namespace nocbench {

enum class Accuracy : std::uint8_t;

/// Returns a network of the engine: of Tenstorrent's shape if its routers have 3 ports, of the other one if they have
/// 5. Both `packets` and `client` must live longer. Throws InputError for parameters that it cannot simulate.
[[nodiscard]] std::unique_ptr<Network> make_network(const Topology& topology, const NetworkParameters& parameters,
                                                    PacketPool& packets, NetworkClient& client);

/// Returns the same, or a network that is simulated packet by packet.
[[nodiscard]] std::unique_ptr<Network> make_network(Accuracy accuracy, const Topology& topology,
                                                    const NetworkParameters& parameters, PacketPool& packets,
                                                    NetworkClient& client);

}  // namespace nocbench
