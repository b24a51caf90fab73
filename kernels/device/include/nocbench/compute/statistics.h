// SPDX-License-Identifier: Apache-2.0
// Mean and variance of the columns of tiles of Dst, which the vector unit gathers and keeps between calls.
//
// The two sums that some calls keep to be faster are one in the model.

#pragma once

#include <stddef.h>

#include <array>

#include "nocbench/compute/commands.h"
#include "nocbench/compute/vector_functions.h"

namespace ckernel {

enum class WelfordInitMode : uint8_t { ClearStats, PreserveStats };
enum class TwoPassAccumulation : uint8_t { ShiftedSum, CentredM2 };
enum class TwoPassAnchor : uint8_t { Reuse, Initialise };

}  // namespace ckernel

namespace nocbench::compute {

using namespace ckernel;

// Counterpart of StatisticsStep in device_model/tenstorrent/compute/column_statistics.h.
enum class StatisticsStep : uint32_t {
    clear,
    add_rows,
    shift_rows,
    square_rows,
    end_first_pass,
    save,
    restore,
    save_anchor,
    restore_anchor,
    merge,
    end_in_row,
    end_in_halves,
    end_in_slot,
    end_in_one,
};
constexpr uint32_t statistics_flag = 1 << 8;

template <StatisticsStep step, uint32_t flags = 0, typename... Words>
FORCE_INLINE void gather(uint32_t dst, Words... words) {
    if constexpr (is_math) {
        command<Operation::gather>(static_cast<uint32_t>(step) | flags, dst, words...);
    }
}

constexpr uint32_t rows_of(uint32_t first, uint32_t count) { return first | count << 8; }

/// Returns 1 / (index + 1): from a table, or without one from a division.
template <size_t size>
FORCE_INLINE uint32_t reciprocal_of(uint32_t index, [[maybe_unused]] const std::array<uint32_t, size>& table) {
    if constexpr (size > 0) {
        return table[index];
    } else {
        return word_of(1.0f / static_cast<float>(index + 1));
    }
}

// A slot of saved values beside the mean.
constexpr uint32_t anchor_slot = 1;

}  // namespace nocbench::compute

namespace ckernel {

// --- Welford's algorithm

FORCE_INLINE void welford_clear() { nocbench::compute::gather<nocbench::compute::StatisticsStep::clear>(0); }
template <WelfordInitMode mode = WelfordInitMode::ClearStats>
FORCE_INLINE void welford_init() {
    if constexpr (mode == WelfordInitMode::ClearStats) {
        welford_clear();
    }
}
template <auto... options>
FORCE_INLINE void welford_reinit(uint32_t operand, uint32_t = 0) {
    nocbench::compute::set_format_a(operand);
    nocbench::compute::prepare<nocbench::compute::copy>();
}

/// Adds rows of a tile to mean and variance. `start` rows have been added before.
template <size_t size>
FORCE_INLINE void welford_update_rows(uint32_t dst, uint32_t start, uint32_t first_row, uint32_t rows,
                                      const std::array<uint32_t, size>& reciprocals) {
    using namespace nocbench::compute;
    if constexpr (is_math) {
        // Each row has a number of its own, and a command room for four.
        for (uint32_t row = 0; row < rows; row += 4) {
            const uint32_t count = rows - row < 4 ? rows - row : 4;
            uint32_t words[4] = {};
            for (uint32_t i = 0; i < count; ++i) {
                words[i] = reciprocal_of(start + row + i, reciprocals);
            }
            command<Operation::gather>(static_cast<uint32_t>(StatisticsStep::add_rows) | (row == 0 ? 0 : continues),
                                       dst, rows_of(first_row + row, count), words[0], words[1], words[2], words[3]);
        }
    }
}
template <size_t size>
FORCE_INLINE void welford_update(uint32_t dst, uint32_t start, const std::array<uint32_t, size>& reciprocals) {
    welford_update_rows(dst, start, 0, 32, reciprocals);
}

/// Saves mean and sum of squares in two tiles of Dst, or brings them back. There is room for those of groups.
FORCE_INLINE void welford_save_state(uint32_t dst, uint32_t group = 0) {
    nocbench::compute::gather<nocbench::compute::StatisticsStep::save>(dst, group);
}
FORCE_INLINE void welford_restore_state(uint32_t dst, uint32_t group = 0) {
    nocbench::compute::gather<nocbench::compute::StatisticsStep::restore>(dst, group);
}

/// Leaves mean and variance in the first row of two tiles. The variance is the sum of squares by `last` + 1.
template <size_t size>
FORCE_INLINE void welford_finalize_to_row(uint32_t dst, uint32_t last, const std::array<uint32_t, size>& reciprocals) {
    using namespace nocbench::compute;
    gather<StatisticsStep::end_in_row, statistics_flag>(dst, reciprocal_of(last, reciprocals));
}

/// Leaves them as states are saved.
template <size_t size>
FORCE_INLINE void welford_finalize_to_face(uint32_t dst, uint32_t group, uint32_t last,
                                           const std::array<uint32_t, size>& reciprocals) {
    using namespace nocbench::compute;
    gather<StatisticsStep::end_in_slot>(dst, group, reciprocal_of(last, reciprocals));
}
template <size_t size>
FORCE_INLINE void welford_finalize_to_face(uint32_t dst, uint32_t last, const std::array<uint32_t, size>& reciprocals) {
    welford_finalize_to_face(dst, 0, last, reciprocals);
}

// --- two passes. Reciprocal and other numbers are words with the bits of floats.

NOCBENCH_NO_COMMAND(two_pass_stats_init_shifted)
FORCE_INLINE void two_pass_stats_clear() { welford_clear(); }

/// Adds up squares of what is left of rows without the mean.
template <auto... options>
FORCE_INLINE void two_pass_stats_update_rows(uint32_t dst, uint32_t first_row, uint32_t rows) {
    using namespace nocbench::compute;
    if (rows > 0) {
        gather<StatisticsStep::square_rows>(dst, rows_of(first_row, rows));
    }
}

/// Adds up what is left of rows without the anchor, or squares as above. The first row can become the anchor.
template <TwoPassAccumulation accumulation, TwoPassAnchor anchor = TwoPassAnchor::Reuse, auto... options>
FORCE_INLINE void two_pass_stats_update_shifted_rows(uint32_t dst, uint32_t first_row, uint32_t rows) {
    using namespace nocbench::compute;
    if constexpr (accumulation == TwoPassAccumulation::CentredM2) {
        two_pass_stats_update_rows(dst, first_row, rows);
    } else if (rows > 0) {
        gather<StatisticsStep::shift_rows, anchor == TwoPassAnchor::Initialise ? statistics_flag : 0>(
            dst, rows_of(first_row, rows));
    }
}

/// Ends the first pass: makes the mean of the sum.
template <auto... options>
FORCE_INLINE void two_pass_stats_finish_shifted_mean(uint32_t reciprocal) {
    nocbench::compute::gather<nocbench::compute::StatisticsStep::end_first_pass>(0, reciprocal);
}

template <auto... options>
FORCE_INLINE void two_pass_stats_save_state(uint32_t dst) {
    welford_save_state(dst);
}
template <auto... options>
FORCE_INLINE void two_pass_stats_switch_group(uint32_t dst, uint32_t saved_group, uint32_t restored_group) {
    welford_save_state(dst, saved_group);
    welford_restore_state(dst, restored_group);
}

FORCE_INLINE void two_pass_stats_save_anchor(uint32_t dst) {
    nocbench::compute::gather<nocbench::compute::StatisticsStep::save_anchor>(dst, 0U);
}
FORCE_INLINE void two_pass_stats_restore_anchor(uint32_t dst) {
    nocbench::compute::gather<nocbench::compute::StatisticsStep::restore_anchor>(dst, 0U);
}
FORCE_INLINE void two_pass_stats_save_anchor_to_state(uint32_t dst) {
    using namespace nocbench::compute;
    gather<StatisticsStep::save_anchor>(dst, anchor_slot);
}
FORCE_INLINE void two_pass_stats_restore_anchor_from_state(uint32_t dst) {
    using namespace nocbench::compute;
    gather<StatisticsStep::restore_anchor>(dst, anchor_slot);
}

/// Merges mean and variance with those that were saved, and saves them.
template <auto... options>
FORCE_INLINE void two_pass_stats_combine_block(uint32_t dst, uint32_t reciprocal_in_all, uint32_t count) {
    nocbench::compute::gather<nocbench::compute::StatisticsStep::merge>(dst, reciprocal_in_all, count);
}

/// Leaves mean and variance in the first row of two tiles.
template <bool dual = true, bool stores_mean = true>
FORCE_INLINE void two_pass_stats_finalize_to_row(uint32_t dst, uint32_t reciprocal) {
    using namespace nocbench::compute;
    gather<StatisticsStep::end_in_row, stores_mean ? statistics_flag : 0>(dst, reciprocal);
}

/// Leaves the anchor in row 0 in place of the mean, and anchor - mean in row 16.
template <auto... options>
FORCE_INLINE void two_pass_stats_finalize_split_mean_to_row(uint32_t dst, uint32_t reciprocal) {
    nocbench::compute::gather<nocbench::compute::StatisticsStep::end_in_halves>(dst, reciprocal);
}

/// Leaves mean and variance as states are saved.
template <auto... options>
FORCE_INLINE void two_pass_stats_finalize_to_face(uint32_t dst, uint32_t group, uint32_t reciprocal) {
    nocbench::compute::gather<nocbench::compute::StatisticsStep::end_in_slot>(dst, group, reciprocal);
}

/// The same with mean and variance of all columns together. The variance can be the sum over columns.
template <bool dual = true, bool averages = true>
FORCE_INLINE void two_pass_stats_finalize_and_combine_to_face(uint32_t dst, uint32_t group, uint32_t reciprocal) {
    using namespace nocbench::compute;
    gather<StatisticsStep::end_in_one, averages ? statistics_flag : 0>(dst, group, reciprocal);
}

}  // namespace ckernel
