// Rectangles of cores, given by their corners.
#pragma once

#include <string>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

/// Inclusive corners. The rectangle wraps around the edge of the grid, as links do, if `first` is beyond `last`.
struct LogicalRectangle {
    LogicalCoordinate first;
    LogicalCoordinate last;

    [[nodiscard]] bool runs_over_the_edge() const { return first.x > last.x || first.y > last.y; }
};

std::string to_string(const LogicalRectangle& rectangle);

/// Returns the cores of a rectangle that does not wrap: column by column, from top to bottom.
std::vector<LogicalCoordinate> cores_of(const LogicalRectangle& rectangle);

/// Returns the live Tensix tiles of a rectangle, the receivers of a multicast: column by column from the first corner.
/// A rectangle that wraps also includes tiles outside the compute grid.
std::vector<PhysicalCoordinate> tensix_tiles_of(const Grid& grid, const LogicalRectangle& rectangle);

}  // namespace nocbench
