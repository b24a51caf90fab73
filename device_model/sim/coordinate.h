// Coordinates of tiles, as distinct types: mixing them is a bug.
#pragma once

#include <compare>
#include <string>

namespace nocbench {

/// Position on the physical grid, in the coordinates of NoC 0: x is the column, y the row, (0, 0) the top left.
struct PhysicalCoordinate {
    int x = 0;
    int y = 0;
    auto operator<=>(const PhysicalCoordinate&) const = default;
};

/// Position on a board's compute grid, as used by programs: (0, 0) is the first live Tensix tile.
struct LogicalCoordinate {
    int x = 0;
    int y = 0;
    auto operator<=>(const LogicalCoordinate&) const = default;
};

/// Position as used by kernels in NoC addresses, translated by the NIU. The same on both NoCs; live Tensix tiles have
/// no gaps at harvested rows or columns.
struct TranslatedCoordinate {
    int x = 0;
    int y = 0;
    auto operator<=>(const TranslatedCoordinate&) const = default;
};

/// Position in the numbering of one NoC, in link direction. For NoC 0 these are the physical coordinates.
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
