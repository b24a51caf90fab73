#include "kernels/tensix/rectangle.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace nocbench {

std::string to_string(const LogicalRectangle& rectangle) {
    return fmt::format("{},{}-{},{}", rectangle.first.x, rectangle.first.y, rectangle.last.x, rectangle.last.y);
}

std::vector<LogicalCoordinate> cores_of(const LogicalRectangle& rectangle) {
    std::vector<LogicalCoordinate> cores;
    for (int x = rectangle.first.x; x <= rectangle.last.x; ++x) {
        for (int y = rectangle.first.y; y <= rectangle.last.y; ++y) {
            cores.push_back({.x = x, .y = y});
        }
    }
    return cores;
}

std::vector<PhysicalCoordinate> tensix_tiles_of(const Grid& grid, const LogicalRectangle& rectangle) {
    // On NoC 1 a multicast enters at the opposite corner.
    const PhysicalCoordinate first = grid.physical(rectangle.first);
    const PhysicalCoordinate last = grid.physical(rectangle.last);
    const auto offset = [&](PhysicalCoordinate place) {
        return std::pair(grid.columns_between(first, place), grid.rows_between(first, place));
    };
    const auto [columns, rows] = offset(last);
    std::vector<PhysicalCoordinate> tiles;
    for (const PhysicalCoordinate place : grid.live_tensix()) {
        const auto [column, row] = offset(place);
        if (column <= columns && row <= rows) {
            tiles.push_back(place);
        }
    }
    std::ranges::sort(tiles, {}, offset);
    return tiles;
}

}  // namespace nocbench
