#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace nocbench {

/// One `--set key=value`.
using Setting = std::pair<std::string, std::string>;

/// Besides those of fields: exact or fast.
inline constexpr std::string_view kAccuracySetting = "accuracy";

/// How networks of a tensix_torus are simulated: flit by flit, or packet by packet (docs/packet_level.md).
enum class Accuracy : std::uint8_t { exact, fast };

}  // namespace nocbench
