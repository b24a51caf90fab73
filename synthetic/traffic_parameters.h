// The parameters of a point of synthetic traffic, read and checked.
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

/// The injection rate that stands for the highest one that the network takes.
inline constexpr std::string_view kSaturation = "saturation";

/// No packet is longer on a plain network.
inline constexpr std::uint32_t kLargestPacketFlits = 4096;

/// Of an architecture that is a network itself.
std::vector<ParameterDefinition> open_loop_parameters();

/// The length of a packet of `call_size` bytes.
int packet_flits(const PointParameters& point, const Architecture& architecture);

/// `default_topology` is that of the test.
std::vector<ParameterDefinition> traffic_parameters(const std::string& default_topology);

/// Whether the network is that of the chip, not a plain one.
bool is_modeled_network(const PointParameters& point);

NetworkPlan network_of(const PointParameters& point, const Architecture& architecture, const Grid& grid);

/// Whether the load is to be the highest one that the network takes.
bool asks_for_saturation(const PointParameters& point);

/// The load on `network`; its rate is 0 if the point asks for saturation.
Load load_of(const PointParameters& point, const Architecture& architecture, const NetworkPlan& network);

}  // namespace nocbench::synthetic
