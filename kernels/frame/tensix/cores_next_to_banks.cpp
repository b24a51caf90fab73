#include "kernels/frame/tensix/cores_next_to_banks.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>

namespace nocbench {

namespace {

bool row_has_compute_cores(const Grid& grid, int y) {
    for (int x = 0; x < grid.columns(); ++x) {
        if (grid.logical(PhysicalCoordinate{.x = x, .y = y}).has_value()) {
            return true;
        }
    }
    return false;
}

/// Returns the row for a bank in row `y` that has no compute cores: the first one without a bank, counted from the
/// bottom for a bank in the last row and from the top for others. If there is none, rows may have two banks.
int other_row(const Grid& grid, int y, const std::set<int>& rows_with_banks) {
    const int last = grid.rows() - 1;
    for (const bool may_have_bank : {false, true}) {
        for (int step = 0; step <= last; ++step) {
            const int row = y == last ? last - step : step;
            if (row_has_compute_cores(grid, row) && (may_have_bank || !rows_with_banks.contains(row))) {
                return row;
            }
        }
    }
    return y;
}

LogicalCoordinate core_from_column(const Grid& grid, PhysicalCoordinate place) {
    while (true) {
        if (const std::optional<LogicalCoordinate> core = grid.logical(place)) {
            return *core;
        }
        place.x = (place.x + 1) % grid.columns();
    }
}

}  // namespace

std::vector<LogicalCoordinate> cores_next_to_banks(const Grid& grid, int noc) {
    std::vector<PhysicalCoordinate> endpoints;
    for (const DramBank& bank : grid.dram_banks()) {
        endpoints.push_back(bank.endpoint[static_cast<std::size_t>(noc)]);
    }
    std::map<int, std::set<int>> rows_of_column;
    for (const PhysicalCoordinate endpoint : endpoints) {
        rows_of_column[endpoint.x].insert(endpoint.y);
    }

    // Banks move in this order of rows: the last one, then the others from the top.
    std::map<PhysicalCoordinate, LogicalCoordinate> core_of;
    for (const auto& [x, rows] : rows_of_column) {
        constexpr int kColumnsFurther = 3;
        int further = kColumnsFurther;
        std::vector<int> order(rows.begin(), rows.end());
        std::ranges::rotate(order, order.end() - 1);
        for (const int y : order) {
            PhysicalCoordinate place{.x = x + 1, .y = y};
            if (!row_has_compute_cores(grid, y)) {
                place = {.x = place.x + further--, .y = other_row(grid, y, rows)};
            }
            core_of[{.x = x, .y = y}] = core_from_column(grid, place);
        }
    }
    std::vector<LogicalCoordinate> cores;
    cores.reserve(endpoints.size());
    for (const PhysicalCoordinate endpoint : endpoints) {
        cores.push_back(core_of.at(endpoint));
    }
    return cores;
}

}  // namespace nocbench
