// A row that is faster than its links can carry is no result, whatever bytes arrived.
#pragma once

#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

/// Rows may be above what their links carry by what is lost in the last digits of a division.
constexpr double kRoundingShare = 1e-9;

/// Takes `data_ok` from rows whose bandwidth is above the highest one that rows of their test can have.
inline void reject_impossible_rows(std::vector<ResultRow>& rows, double theoretical_bytes_per_cycle) {
    for (ResultRow& row : rows) {
        const bool is_possible = row.bandwidth_bytes_per_cycle <= theoretical_bytes_per_cycle * (1 + kRoundingShare);
        row.data_ok = row.data_ok && is_possible;
    }
}

}  // namespace nocbench
