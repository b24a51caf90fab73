// The floor plan of a machine: kinds of tiles, their coordinates, and distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/tenstorrent/arch/constants.h"

namespace nocbench {

enum class TileKind : std::uint8_t {
    tensix,     // live; possibly outside the compute grid
    harvested,  // a disabled Tensix or DRAM tile; its router works
    dram,
    ethernet,
    pcie,
    arc,
    router_only,
};

std::string_view to_string(TileKind kind);

/// The grid of one board. Nodes are numbered row by row: node = y * columns + x.
class Grid {
public:
    Grid(const TorusArchitecture& architecture, const TorusBoard& board);

    [[nodiscard]] const std::string& board_name() const { return board_name_; }
    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int num_nodes() const { return columns_ * rows_; }
    [[nodiscard]] int compute_columns() const { return compute_columns_; }
    [[nodiscard]] int compute_rows() const { return compute_rows_; }

    [[nodiscard]] bool contains(PhysicalCoordinate place) const {
        return place.x >= 0 && place.x < columns_ && place.y >= 0 && place.y < rows_;
    }
    /// Requires a place inside the grid.
    [[nodiscard]] int node_index(PhysicalCoordinate place) const { return place.y * columns_ + place.x; }
    [[nodiscard]] PhysicalCoordinate place_of_node(int node) const {
        return {.x = node % columns_, .y = node / columns_};
    }

    /// Requires a place inside the grid.
    [[nodiscard]] TileKind tile_kind(PhysicalCoordinate place) const { return kinds_[index(node_index(place))]; }
    /// Returns all live Tensix tiles, row by row, including those outside the compute grid.
    [[nodiscard]] std::span<const PhysicalCoordinate> live_tensix() const { return live_tensix_; }
    /// Returns the DRAM banks in program order: those of the architecture without harvested channels.
    [[nodiscard]] std::span<const DramBank> dram_banks() const { return dram_banks_; }

    /// Returns the PCIe tile wired to the board's connector: the first one; nothing if there is none.
    [[nodiscard]] std::optional<PhysicalCoordinate> host_tile() const { return host_tile_; }

    /// Returns the tile of logical `core`. Throws InputError if it is outside the compute grid.
    [[nodiscard]] PhysicalCoordinate physical(LogicalCoordinate core) const;
    /// Returns the logical coordinate of the tile at `place`; nothing outside the compute grid.
    [[nodiscard]] std::optional<LogicalCoordinate> logical(PhysicalCoordinate place) const;

    /// Returns the tile that kernels address as `place`: Tensix tiles by translated coordinate, any tile by its
    /// physical one unless that is also a translated coordinate. Throws InputError if there is none.
    [[nodiscard]] PhysicalCoordinate physical(TranslatedCoordinate place) const;
    /// Returns the translated coordinate of a place inside the grid.
    [[nodiscard]] TranslatedCoordinate translated(PhysicalCoordinate place) const;
    [[nodiscard]] TranslatedCoordinate translated(LogicalCoordinate core) const { return translated(physical(core)); }

    /// NoC 1 counts from the opposite corner: its links point the other way.
    [[nodiscard]] NocCoordinate noc_coordinate(int noc, PhysicalCoordinate place) const;
    [[nodiscard]] PhysicalCoordinate physical(int noc, NocCoordinate place) const;

    [[nodiscard]] bool is_mesh() const { return is_mesh_; }
    /// Returns the links between routers on the route: in a torus right and down on NoC 0, left and up on NoC 1,
    /// wrapping at edges.
    [[nodiscard]] int hops(int noc, PhysicalCoordinate source, PhysicalCoordinate destination) const {
        if (is_mesh_) {
            return std::abs(destination.x - source.x) + std::abs(destination.y - source.y);
        }
        return ring_distance(noc, source.x, destination.x, columns_) +
               ring_distance(noc, source.y, destination.y, rows_);
    }
    /// Return the columns or rows from `from` to the right or down to `to`, over the edge if that lies before `from`.
    [[nodiscard]] int columns_between(PhysicalCoordinate from, PhysicalCoordinate to) const {
        return ring_distance(0, from.x, to.x, columns_);
    }
    [[nodiscard]] int rows_between(PhysicalCoordinate from, PhysicalCoordinate to) const {
        return ring_distance(0, from.y, to.y, rows_);
    }

    /// Throws InputError unless `place` holds a live Tensix tile; the message names the tile found.
    void require_live_tensix(PhysicalCoordinate place) const;

private:
    static int ring_distance(int noc, int from, int to, int size) {
        const int distance = noc == 0 ? to - from : from - to;
        return distance < 0 ? distance + size : distance;
    }

    static constexpr int kTranslatedPlaces = 64;  // per axis: coordinates have 6 bits in NoC addresses

    static std::size_t index(int number) { return static_cast<std::size_t>(number); }

    void place_tensix_tiles(const GridConstants& grid, const TorusBoard& board);
    void place_dram_tiles(const DramConstants& dram, const TorusBoard& board);
    void place_tiles(const std::vector<PhysicalCoordinate>& places, TileKind kind);
    void name_tiles(const GridConstants& grid, const TorusBoard& board);

    std::string architecture_name_;
    std::string board_name_;
    bool is_mesh_;
    int columns_;
    int rows_;
    int compute_columns_;
    int compute_rows_;
    std::vector<int> live_columns_;  // [logical x] -> physical x, also beyond the compute grid
    std::vector<int> live_rows_;     // [logical y] -> physical y
    std::vector<PhysicalCoordinate> live_tensix_;
    std::vector<DramBank> dram_banks_;
    std::optional<PhysicalCoordinate> host_tile_;
    std::map<PhysicalCoordinate, std::string> harvested_;    // the harvested row, column or channel of a tile: "row 2"
    std::vector<TileKind> kinds_;                            // [node]
    std::vector<TranslatedCoordinate> translated_;           // [node]
    std::vector<std::int16_t> node_of_translated_;           // [y * kTranslatedPlaces + x]; -1: none
    std::vector<std::optional<LogicalCoordinate>> logical_;  // [node]
};

}  // namespace nocbench
