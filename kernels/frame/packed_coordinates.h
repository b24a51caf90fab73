// Encoding of tile coordinates in runtime arguments of the suite's kernels. Kernels compiled for RISCs include it, too.
#pragma once

#include <cstdint>
#include <utility>

namespace nocbench {

/// Packs x and y into halves of one runtime argument.
constexpr std::uint32_t packed_coordinates(std::uint32_t x, std::uint32_t y) { return x << 16 | y; }
constexpr std::pair<std::uint32_t, std::uint32_t> unpacked_coordinates(std::uint32_t packed) {
    return {packed >> 16, packed & 0xffff};
}

}  // namespace nocbench
