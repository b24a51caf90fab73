// Sorting of columns of two tiles, as the vector unit does for the largest or smallest values of a tensor.
//
// A column has 64 values: 32 of the first tile, then 32 of the second one. Two further tiles have the indices of these
// values, which move with them. Source: tt-metal, tt_metal/hw/inc/api/compute/topk.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device_model/tenstorrent/compute/compute_command.h"
#include "device_model/tenstorrent/compute/tile_values.h"

namespace nocbench {

inline constexpr std::size_t kColumnValues = 2 * kTileSide;

/// Runs of a column, `stride` values from one to the next.
struct ColumnRuns {
    explicit ColumnRuns(std::uint32_t word)
        : length(field(word, 0, 0xFF)), stride(field(word, 8, 0xFF)), count(field(word, 16, 0xFF)) {}

    /// Returns the number of values up to the end of the last run.
    [[nodiscard]] std::size_t end() const { return count == 0 ? 0 : (count - 1) * stride + length; }

    std::size_t length;
    std::size_t stride;
    std::size_t count;
};

/// Order of two equal values where values decrease.
enum class Ties : std::uint8_t { any, larger_index, smaller_index };

/// Two tiles of values, then two tiles of indices. Without indices, the tiles of values come twice.
using SortedTiles = std::array<TileValues*, 4>;

/// Sorts each run, every other one in the opposite direction.
void sort_runs(const SortedTiles& tiles, const ColumnRuns& runs, bool ascending, Ties ties);
/// Compares each value of a run with the value half a stride behind it. The value that comes first stays in the run.
void merge_runs(const SortedTiles& tiles, const ColumnRuns& runs, bool ascending, Ties ties);

}  // namespace nocbench
