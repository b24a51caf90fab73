// The routers that a multicast passes on its way to the tiles of a rectangle.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/noc/packet.h"
#include "device_model/sim/coordinate.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

/// Inclusive corners of a rectangle of tiles, in NoC coordinates, which grow in link direction. In a torus, the
/// rectangle wraps around the edge of the grid if `first` exceeds `last`.
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

/// Returns the receivers of multicasts to `rectangle`: its live Tensix tiles. All other tiles only forward.
std::vector<NodeIndex> multicast_receivers(const Grid& grid, int noc, const MulticastRectangle& rectangle);

/// Returns the tree from `source` to all receivers in `rectangle`, without the source unless `includes_source`.
///
/// From a source outside the rectangle's columns, packets travel along x to the first of these columns that they reach;
/// then along y past every wanted row; and in each wanted row along x past every wanted column. In a torus, all in link
/// direction, wrapping at grid edges, on both NoCs; in a mesh, both ways from the source's row and from that column.
/// Source: Tenstorrent ISA documentation, NoC memory map and routing paths, broadcasts with BRCST_XY = 0. That meshes
/// follow the same rule is an assumption.
MulticastTree multicast_tree(const Grid& grid, int noc, PhysicalCoordinate source, const MulticastRectangle& rectangle,
                             bool includes_source);

}  // namespace nocbench
