// Sources and rectangles of multicasts, and their receivers and trees, computed from a map of the chip, independently
// of the device.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/tensix/rectangle.h"
#include "tests/noc/traffic.h"
#include "tests/support/machine.h"

namespace nocbench::test {

/// Board, possibly with unusual harvesting, and one of its NoCs.
struct Chip {
    std::string board;
    std::vector<Setting> settings;
    int noc = 0;
    std::string name;  // name in test names
};

/// Returns Wormhole and Blackhole with both NoCs, and with several rows and columns harvested.
std::vector<Chip> chips();

struct MulticastGeometry {
    std::string name;
    LogicalCoordinate source;
    LogicalRectangle rectangle;
};

void PrintTo(const MulticastGeometry& geometry, std::ostream* stream);

/// Returns multicasts with sources within the rectangle (at corners, at edges, in the middle) and outside (at each side
/// and diagonally). Rectangles include rows, columns, a single tile, the whole compute grid, and ones that wrap around
/// the edges of the grid.
std::vector<MulticastGeometry> geometries(const Grid& grid);

class MulticastMap {
public:
    MulticastMap(const Grid& grid, int noc, const MulticastGeometry& geometry, bool includes_source);

    /// Returns the live Tensix tiles that receive the data.
    [[nodiscard]] const std::vector<PhysicalCoordinate>& receivers() const { return receivers_; }
    [[nodiscard]] std::uint32_t num_receivers() const { return static_cast<std::uint32_t>(receivers_.size()); }
    [[nodiscard]] bool source_is_inside() const { return source_is_inside_; }
    /// Returns the hops from the source to the farthest receiver.
    [[nodiscard]] int depth() const { return static_cast<int>(tree_.depth()); }
    /// Returns the maximum over links of a packet's acknowledgements that share a link with its data.
    [[nodiscard]] int acknowledgements_on_busiest_shared_link() const;

private:
    [[nodiscard]] NodeIndex node(PhysicalCoordinate place) const;

    TrafficPlan map_;
    std::vector<PhysicalCoordinate> receivers_;
    bool source_is_inside_ = false;
    PlannedTree tree_;
};

/// Returns the NoC address of a multicast, as used in a kernel.
std::uint64_t multicast_address(const Machine& machine, const LogicalRectangle& rectangle, std::uint32_t address);

}  // namespace nocbench::test
