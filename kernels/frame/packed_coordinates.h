// How the runtime arguments of the suite's kernels hold the coordinates of a tile. Kernels that are compiled for the
// RISCs include it, too.
#pragma once

#include <cstdint>
#include <utility>

namespace nocbench {

/// x and y in one runtime argument, each in a half of it.
constexpr std::uint32_t packed_coordinates(std::uint32_t x, std::uint32_t y) { return x << 16 | y; }
constexpr std::pair<std::uint32_t, std::uint32_t> unpacked_coordinates(std::uint32_t packed) {
    return {packed >> 16, packed & 0xffff};
}

}  // namespace nocbench
