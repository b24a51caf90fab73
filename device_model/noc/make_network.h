// Factories of networks that are simulated flit by flit or packet by packet.
#pragma once

#include <cstdint>
#include <memory>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"

namespace nocbench {

enum class Accuracy : std::uint8_t;

/// Returns a network of the engine: of Tenstorrent's shape if its routers have 3 ports, of a mesh if they have 5.
/// `packets` and `client` must outlive the network. Throws InputError for parameters that cannot be simulated.
[[nodiscard]] std::unique_ptr<Network> make_network(const Topology& topology, const NetworkParameters& parameters,
                                                    PacketPool& packets, NetworkClient& client);

/// Returns a network of the given accuracy: flit by flit as above, or packet by packet.
[[nodiscard]] std::unique_ptr<Network> make_network(Accuracy accuracy, const Topology& topology,
                                                    const NetworkParameters& parameters, PacketPool& packets,
                                                    NetworkClient& client);

}  // namespace nocbench
