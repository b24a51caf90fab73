// Coordinates of tiles. Physical and logical coordinates are different types, since mixing them is a bug.
#pragma once

#include <compare>
#include <string>

namespace nocbench {

/// A place on the physical grid, in the coordinates of NoC 0: x is the column, y is the row, (0, 0) is the top left.
struct PhysicalCoordinate {
    int x = 0;
    int y = 0;
    auto operator<=>(const PhysicalCoordinate&) const = default;
};

/// A place on the compute grid of a board, as programs name it: (0, 0) is the first live Tensix tile.
struct LogicalCoordinate {
    int x = 0;
    int y = 0;
    auto operator<=>(const LogicalCoordinate&) const = default;
};

/// A place as kernels name it in NoC addresses; the NIU translates it. The same on both NoCs and, for live Tensix
/// tiles, free of gaps where rows or columns are harvested.
struct TranslatedCoordinate {
    int x = 0;
    int y = 0;
    auto operator<=>(const TranslatedCoordinate&) const = default;
};

/// A place as one NoC counts, in the direction in which its links point. On NoC 0 these are the physical coordinates.
struct NocCoordinate {
    int x = 0;
    int y = 0;
    auto operator<=>(const NocCoordinate&) const = default;
};

std::string to_string(PhysicalCoordinate coordinate);
std::string to_string(LogicalCoordinate coordinate);
std::string to_string(TranslatedCoordinate coordinate);
std::string to_string(NocCoordinate coordinate);

}  // namespace nocbench
