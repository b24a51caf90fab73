// The network that an architecture file describes.
#pragma once

#include "device_model/architecture.h"
#include "device_model/network.h"

namespace nocbench {

/// The least of all latencies between parts of a chip that are simulated one after the other: between routers, between
/// the network and the events outside of it, and between a counter and the RISC that polls it.
[[nodiscard]] Cycle shortest_latency(const Architecture& architecture);

/// The constants that all NoCs of a chip have in common; see NiuConstants for the rates of tiles.
[[nodiscard]] NetworkParameters noc_parameters(const Architecture& architecture);

}  // namespace nocbench
