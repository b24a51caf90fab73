// A row that is faster than its links can carry is no result, whatever bytes arrived.
#pragma once

#include <fmt/format.h>

#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Rows may be above what their links carry by what is lost in the last digits of a division.
constexpr double kRoundingShare = 1e-9;

/// Takes `data_ok` from rows whose bandwidth is above the highest one that rows of their test can have, and says so in
/// `data_fault`, unless their data were wrong before. In the words that points/peaks.py has for rows of a file.
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
