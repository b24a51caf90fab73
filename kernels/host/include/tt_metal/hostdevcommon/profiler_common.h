// Bounds of tt-metal's profiler.
#pragma once

#include <cstdint>

inline constexpr std::uint32_t PROFILER_OP_SUPPORT_COUNT = 1000;

namespace kernel_profiler {

inline constexpr std::uint32_t PROFILER_L1_OPTIONAL_MARKER_COUNT = 250;
inline constexpr std::uint32_t PROFILER_L1_GUARANTEED_MARKER_COUNT = 4;

}  // namespace kernel_profiler
