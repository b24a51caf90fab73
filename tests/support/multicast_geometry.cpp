#include "tests/support/multicast_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "kernels/tensix/dataflow_api.h"
#include "tests/support/thinning.h"

namespace nocbench::test {

namespace {

/// Returns the ring positions from `first` to `last`, in the direction of increasing coordinates.
std::vector<int> span(int first, int last, int size) {
    std::vector<int> places{first};
    while (places.back() != last) {
        places.push_back((places.back() + 1) % size);
    }
    return places;
}

}  // namespace

std::vector<Chip> chips() {
    const auto rows = [](const char* harvested) { return Setting{"board.harvested_rows", harvested}; };
    const auto columns = [](const char* harvested) { return Setting{"board.harvested_columns", harvested}; };
    const std::vector<Chip> boards{
        {"n150", {}, 0, "n150"},
        {"n150", {rows("5")}, 0, "n150_without_row_5"},
        {"n300", {rows("1,7")}, 0, "n300_without_rows_1_and_7"},
        {"p100", {}, 0, "p100"},
        {"p100", {columns("1,12")}, 0, "p100_without_columns_1_and_12"},
        {"p150", {}, 0, "p150"},
    };
    std::vector<Chip> all;
    for (const Chip& board : boards) {
        for (const int noc : {0, 1}) {
            all.push_back(board);
            all.back().noc = noc;
            all.back().name += fmt::format("_noc{}", noc);
        }
    }
    return thinned(std::move(all), 3, 3);
}

void PrintTo(const MulticastGeometry& geometry, std::ostream* stream) {
    *stream << fmt::format("{}: ({}, {}) to {}", geometry.name, geometry.source.x, geometry.source.y,
                           to_string(geometry.rectangle));
}

std::vector<MulticastGeometry> geometries(const Grid& grid) {
    const int right = grid.compute_columns() - 1;
    const int bottom = grid.compute_rows() - 1;
    const LogicalRectangle square{{1, 1}, {5, 5}};
    const LogicalRectangle inner{{2, 2}, {4, 4}};
    const LogicalRectangle all{{0, 0}, {right, bottom}};
    return {
        {"2x2, first corner", {0, 0}, {{0, 0}, {1, 1}}},
        {"2x2, last corner", {1, 1}, {{0, 0}, {1, 1}}},
        {"2x2, top right corner", {1, 0}, {{0, 0}, {1, 1}}},
        {"5x5, first corner", {1, 1}, square},
        {"5x5, last corner", {5, 5}, square},
        {"5x5, bottom left corner", {1, 5}, square},
        {"5x5, middle", {3, 3}, square},
        {"5x5, top edge", {3, 1}, square},
        {"5x5, bottom edge", {2, 5}, square},
        {"5x5, left edge", {1, 3}, square},
        {"5x5, right edge", {5, 4}, square},
        {"from the left", {0, 3}, inner},
        {"from the right", {6, 3}, inner},
        {"from above", {3, 0}, inner},
        {"from below", {3, 6}, inner},
        {"from the top left", {0, 0}, inner},
        {"from the bottom right", {6, 6}, inner},
        {"from the bottom left", {1, 5}, inner},
        {"row, from its first tile", {0, 3}, {{0, 3}, {right, 3}}},
        {"row, from within", {3, 2}, {{0, 2}, {right, 2}}},
        {"row, from another", {2, 5}, {{0, 1}, {right, 1}}},
        {"column, from its last tile", {4, bottom}, {{4, 0}, {4, bottom}}},
        {"column, from within", {6, 3}, {{6, 0}, {6, bottom}}},
        {"column, from another", {1, 4}, {{5, 0}, {5, bottom}}},
        {"single tile", {1, 2}, {{5, 4}, {5, 4}}},
        {"the tile before in the row", {4, 4}, {{3, 4}, {3, 4}}},
        {"all, first corner", {0, 0}, all},
        {"all, last corner", {right, bottom}, all},
        {"all, middle", {3, 4}, all},
        {"over the right edge, inside", {0, 2}, {{right - 1, 1}, {1, 3}}},
        {"over the right edge, from outside", {4, 4}, {{right - 1, 1}, {1, 3}}},
        {"over the bottom edge, inside", {3, bottom}, {{2, bottom - 1}, {4, 1}}},
        {"over the bottom edge, from outside", {5, 4}, {{2, bottom - 1}, {4, 1}}},
        {"over both edges", {0, 0}, {{right, bottom - 1}, {1, 0}}},
    };
}

MulticastMap::MulticastMap(const Grid& grid, int noc, const MulticastGeometry& geometry, bool includes_source) {
    map_.columns = grid.columns();
    map_.rows = grid.rows();
    map_.noc = noc;
    const PhysicalCoordinate source = grid.physical(geometry.source);
    const PhysicalCoordinate first = grid.physical(geometry.rectangle.first);
    const PhysicalCoordinate last = grid.physical(geometry.rectangle.last);
    const std::vector<int> columns = span(first.x, last.x, grid.columns());
    std::vector<NodeIndex> nodes;
    for (const int y : span(first.y, last.y, grid.rows())) {
        for (const int x : columns) {
            const PhysicalCoordinate place{x, y};
            if (grid.tile_kind(place) != TileKind::tensix) {
                continue;
            }
            source_is_inside_ = source_is_inside_ || place == source;
            if (place != source || includes_source) {
                receivers_.push_back(place);
                nodes.push_back(node(place));
            }
        }
    }
    // Links of NoC 1 enter a rectangle at its last column.
    const int entry = noc == 0 ? first.x : last.x;
    tree_ = plan_tree(map_, node(source), nodes, {entry, static_cast<int>(columns.size())});
}

NodeIndex MulticastMap::node(PhysicalCoordinate place) const {
    return static_cast<NodeIndex>(place.y * map_.columns + place.x);
}

int MulticastMap::acknowledgements_on_busiest_shared_link() const {
    using Link = std::pair<NodeIndex, int>;
    std::map<Link, int> acknowledgements;  // on links that also carry data
    for (const std::vector<NodeIndex>& way : tree_.ways) {
        for (std::size_t step = 0; step + 1 < way.size(); ++step) {
            acknowledgements[{way[step], port_on_way(map_, way, step)}] = 0;
        }
    }
    int most = 0;
    for (const PhysicalCoordinate receiver : receivers_) {
        const std::vector<NodeIndex> way = test::way(map_, node(receiver), tree_.source);
        for (std::size_t step = 0; step + 1 < way.size(); ++step) {
            if (const auto link = acknowledgements.find({way[step], port_on_way(map_, way, step)});
                link != acknowledgements.end()) {
                most = std::max(most, ++link->second);
            }
        }
    }
    return most;
}

std::uint64_t multicast_address(const Machine& machine, const LogicalRectangle& rectangle, std::uint32_t address) {
    return dataflow::get_noc_multicast_addr(machine.x(rectangle.first), machine.y(rectangle.first),
                                            machine.x(rectangle.last), machine.y(rectangle.last), address);
}

}  // namespace nocbench::test
