// Coordinates of tiles, as distinct types: mixing them is a bug.
#pragma once

#include <fmt/format.h>

#include <compare>
#include <string>

namespace nocbench {

/// Position in a numbering of tiles. `Numbering` only tells coordinates of different numberings apart.
template <class Numbering>
struct Coordinate {
    int x = 0;
    int y = 0;
    auto operator<=>(const Coordinate&) const = default;
};

/// Returns a text such as "(3, 4)".
template <class Numbering>
std::string to_string(Coordinate<Numbering> coordinate) {
    return fmt::format("({}, {})", coordinate.x, coordinate.y);
}

/// Position on the physical grid, in the coordinates of NoC 0: x is the column, y the row, (0, 0) the top left.
using PhysicalCoordinate = Coordinate<struct PhysicalNumbering>;

/// Position on a board's compute grid, as used by programs: (0, 0) is the first live Tensix tile.
using LogicalCoordinate = Coordinate<struct LogicalNumbering>;

/// Position as used by kernels in NoC addresses, translated by the NIU. The same on both NoCs; live Tensix tiles have
/// no gaps at harvested rows or columns.
using TranslatedCoordinate = Coordinate<struct TranslatedNumbering>;

/// Position in the numbering of one NoC, in link direction. For NoC 0 these are the physical coordinates.
using NocCoordinate = Coordinate<struct NocNumbering>;

}  // namespace nocbench
