// Rejection of rows that exceed the bandwidth of their links, even if the data are correct.
#pragma once

#include <fmt/format.h>

#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Relative excess allowed for the rounding of a division.
constexpr double kRoundingShare = 1e-9;

/// Clears `data_ok` of rows above the theoretical bandwidth of their test, and states the reason in `data_fault` unless
/// the data were wrong before. The wording equals that of points/peaks.py.
inline void reject_impossible_rows(std::vector<ResultRow>& rows, double theoretical_bytes_per_cycle) {
    for (ResultRow& row : rows) {
        const bool is_possible = row.bandwidth_bytes_per_cycle <= theoretical_bytes_per_cycle * (1 + kRoundingShare);
        if (row.data_ok && !is_possible) {
            row.data_ok = false;
            row.data_fault = fmt::format("{:.10g} B/cycle, above the theoretical maximum of {:g}",
                                         row.bandwidth_bytes_per_cycle, theoretical_bytes_per_cycle);
        }
    }
}

}  // namespace nocbench
