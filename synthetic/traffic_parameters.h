// Parameters of a point of synthetic traffic, checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/tenstorrent/grid.h"
#include "kernels/frame/point.h"
#include "synthetic/network_plan.h"
#include "synthetic/open_loop.h"

namespace nocbench::synthetic {

/// Injection rate that requests a search for saturation.
inline constexpr std::string_view kSaturation = "saturation";

/// Longest packet on a plain network.
inline constexpr std::uint32_t kLargestPacketFlits = 4096;

/// Returns the parameters of architectures that are plain networks.
std::vector<ParameterDefinition> open_loop_parameters();

/// Returns the number of flits of a packet of `call_size` bytes.
int packet_flits(const PointParameters& point, const Architecture& architecture);

std::vector<ParameterDefinition> traffic_parameters(const std::string& default_topology);

/// Returns true for the network of the chip, and false for a plain network.
bool is_modeled_network(const PointParameters& point);

NetworkPlan network_of(const PointParameters& point, const Architecture& architecture, const Grid& grid);

bool asks_for_saturation(const PointParameters& point);

/// Returns the load on `network`, with rate 0 if the point requests saturation.
Load load_of(const PointParameters& point, const Architecture& architecture, const NetworkPlan& network);

}  // namespace nocbench::synthetic
