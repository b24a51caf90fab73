#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace nocbench {

/// Setting from the command line: `--set key=value`.
using Setting = std::pair<std::string, std::string>;

/// Setting that is not a field: exact or fast.
inline constexpr std::string_view kAccuracySetting = "accuracy";

/// Simulation of the networks of a tensix_torus: flit by flit, or packet by packet (docs/packet_level.md).
enum class Accuracy : std::uint8_t { exact, fast };

}  // namespace nocbench
