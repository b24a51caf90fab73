// Mean and variance of the columns of tiles, which the vector unit gathers row by row and keeps between its calls.
//
// Welford's algorithm corrects both with each row. The other way has two passes: the first one adds up the differences
// of the values from an anchor, the second one the squares of their differences from the mean.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "device_model/tenstorrent/compute/compute_command.h"
#include "device_model/tenstorrent/compute/tile_values.h"

namespace nocbench {

/// Steps of gathering. Numbers are those of kernels/device/include/nocbench/compute/statistics.h. Words: below.
enum class StatisticsStep : std::uint8_t {
    clear,
    add_rows,        // by Welford's algorithm. Rows, the reciprocal number of rows up to each of them
    shift_rows,      // adds up rows without the anchor. Rows; with the flag the first one is the anchor
    square_rows,     // adds up squares of rows without the mean. Rows
    end_first_pass,  // makes the mean of the sum. Reciprocal number
    save,            // mean and sum of squares, to a slot of two tiles. Slot
    restore,         // Slot
    save_anchor,     // to a slot of one tile. Slot
    restore_anchor,  // Slot
    merge,           // with what is saved in slot 0. Reciprocal number in all, number of these values
    end_in_row,      // leaves mean and variance in row 0 of two tiles. Reciprocal number; the mean only with the flag
    end_in_halves,   // the same with the anchor in row 0, and anchor - mean in row 16. Reciprocal number
    end_in_slot,     // leaves mean and variance in a slot. Slot, reciprocal number
    end_in_one,      // those of all columns together, each as often. Slot, reciprocal number; with the flag the
                     // variance, else 32 times as much
};

/// Rows of a tile in a command: the first, and from bit 8 on their number.
struct RowRange {
    std::size_t first = 0;
    std::size_t count = 0;

    explicit RowRange(std::uint32_t word) : first(word & 0xFF), count(word >> 8) {}
};

class ColumnStatistics {
public:
    /// Makes a step with two tiles of Dst: rows come from the first, results go to both. `words` begin after the tile.
    void take(StatisticsStep step, bool flag, std::span<const std::uint32_t> words, TileValues& first,
              TileValues& second);

private:
    using Row = std::array<float, kTileSide>;

    Row mean_{};  // in a first pass the anchor
    Row sum_{};   // of squares; in a first pass of values
    Row anchor_{};
};

/// True for steps with rows of a tile, each of which takes a step of the vector unit.
[[nodiscard]] bool has_rows(StatisticsStep step);
/// Returns the tiles of Dst that a step uses, from its first one on.
[[nodiscard]] std::uint32_t tiles_of(StatisticsStep step);
/// Returns the step of a command. Throws InputError for one, or for rows or a slot, that do not exist.
[[nodiscard]] StatisticsStep statistics_step(const ComputeCommand& command);

}  // namespace nocbench
