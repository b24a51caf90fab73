// Rectangles of cores, as tests and multicasts name them: by their corners.
#pragma once

#include <string>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

/// Both corners belong to it. Where the first one lies beyond the last one, it runs over the edge of the grid, as the
/// links of a torus do.
struct LogicalRectangle {
    LogicalCoordinate first;
    LogicalCoordinate last;

    [[nodiscard]] bool runs_over_the_edge() const { return first.x > last.x || first.y > last.y; }
};

std::string to_string(const LogicalRectangle& rectangle);

/// The cores of a rectangle that does not run over the edge: column by column, from top to bottom.
std::vector<LogicalCoordinate> cores_of(const LogicalRectangle& rectangle);

/// The live Tensix tiles of a rectangle, which are those that a multicast reaches: column by column from the first
/// corner on. One that runs over the edge of the grid also has the tiles there that programs run no kernels on.
std::vector<PhysicalCoordinate> tensix_tiles_of(const Grid& grid, const LogicalRectangle& rectangle);

}  // namespace nocbench
