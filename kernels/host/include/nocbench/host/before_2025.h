// Names that releases of 2024 had, beside those of host_programs.h. Their headers begin with tt_metal/.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "nocbench/host/host_programs.h"  // IWYU pragma: export
#include "nocbench/host/tiles.h"
#include "tt_metal/hostdevcommon/profiler_common.h"  // IWYU pragma: export

// Their headers had these at global scope, and programs use them.
using std::array;
using std::string;
using std::vector;

using kernel_profiler::PROFILER_L1_GUARANTEED_MARKER_COUNT;
using kernel_profiler::PROFILER_L1_OPTIONAL_MARKER_COUNT;

namespace tt::tt_metal {

using Device = IDevice;

}  // namespace tt::tt_metal

/// Brings values into the order of tiles and faces, and back row by row. Throw HostError for parts of tiles.
template <typename T>
void tilize(std::vector<T>& values, std::uint32_t rows, std::uint32_t columns) {
    values = tilize_nfaces(values, rows, columns);
}
template <typename T>
void untilize(std::vector<T>& values, std::uint32_t rows, std::uint32_t columns) {
    values = untilize_nfaces(values, rows, columns);
}
