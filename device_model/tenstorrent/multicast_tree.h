// The routers that a multicast passes on its way to all tiles of a rectangle.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/noc/packet.h"
#include "device_model/sim/coordinate.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

/// Corners of a rectangle of tiles, both included, in the coordinates of one NoC, which grow in the direction of its
/// links. A first corner beyond the last one is a rectangle that runs over the edge of the grid.
struct MulticastRectangle {
    NocCoordinate first;
    NocCoordinate last;

    auto operator<=>(const MulticastRectangle&) const = default;
};

struct MulticastTree {
    std::vector<std::uint8_t> outputs;  // [node], bit per output port; 0: not part of the tree
    std::vector<NodeIndex> receivers;   // in ascending order
    std::vector<std::uint16_t> hops;    // [receiver], from the source's router
    int depth = 0;                      // hops from the source's router to the farthest receiver's
};

/// Tiles that take part in multicasts to `rectangle`: the live Tensix tiles in it. All other tiles only forward.
std::vector<NodeIndex> multicast_receivers(const Grid& grid, int noc, const MulticastRectangle& rectangle);

/// The tree from `source` to all receivers in `rectangle`, the source itself left out unless `includes_source`.
///
/// If the column of the source is outside of the rectangle's columns, packets travel along x to the first of them;
/// then along y, past every wanted row; and in each wanted row along x, past every wanted column. All three in the
/// direction of the links, around the edges of the grid where that is needed, on both NoCs.
/// Source: Tenstorrent ISA documentation, NoC memory map and routing paths, broadcasts with BRCST_XY = 0.
MulticastTree multicast_tree(const Grid& grid, int noc, PhysicalCoordinate source, const MulticastRectangle& rectangle,
                             bool includes_source);

}  // namespace nocbench
