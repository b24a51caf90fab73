#include "device_model/tenstorrent/grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_model/sim/error.h"

namespace nocbench {

namespace {

bool contains_number(const std::vector<std::int64_t>& numbers, std::int64_t number) {
    return std::ranges::find(numbers, number) != numbers.end();
}

std::vector<int> without(const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& harvested) {
    std::vector<int> live;
    for (const std::int64_t number : all) {
        if (!contains_number(harvested, number)) {
            live.push_back(static_cast<int>(number));
        }
    }
    return live;
}

/// Maps physical to translated x or y: live rows or columns in order, then harvested ones.
std::vector<int> translation(const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& harvested,
                             const std::vector<std::int64_t>& translated, int size) {
    std::vector<std::int64_t> live_first = all;
    std::ranges::stable_partition(live_first, [&](std::int64_t number) { return !contains_number(harvested, number); });
    std::vector<int> map(static_cast<std::size_t>(size), 0);
    for (std::size_t index = 0; index < live_first.size(); ++index) {
        map[static_cast<std::size_t>(live_first[index])] = static_cast<int>(translated[index]);
    }
    return map;
}

}  // namespace

std::string_view to_string(TileKind kind) {
    switch (kind) {
        case TileKind::tensix:
            return "Tensix";
        case TileKind::harvested:
            return "harvested";
        case TileKind::dram:
            return "DRAM";
        case TileKind::ethernet:
            return "Ethernet";
        case TileKind::pcie:
            return "PCIe";
        case TileKind::arc:
            return "ARC";
        case TileKind::router_only:
            return "router only";
    }
    return "";
}

Grid::Grid(const TorusArchitecture& architecture, const TorusBoard& board)
    : architecture_name_(architecture.name),
      board_name_(board.name),
      is_mesh_(architecture.is_mesh()),
      columns_(static_cast<int>(architecture.grid.columns)),
      rows_(static_cast<int>(architecture.grid.rows)),
      compute_columns_(static_cast<int>(board.compute_columns)),
      compute_rows_(static_cast<int>(board.compute_rows)),
      live_columns_(without(architecture.grid.tensix_columns, board.harvested_columns)),
      live_rows_(without(architecture.grid.tensix_rows, board.harvested_rows)),
      kinds_(index(num_nodes()), TileKind::router_only),
      translated_(index(num_nodes())),
      logical_(index(num_nodes())) {
    place_tensix_tiles(architecture.grid, board);
    place_tiles(architecture.grid.ethernet_tiles, TileKind::ethernet);
    place_tiles(architecture.grid.pcie_tiles, TileKind::pcie);
    if (!architecture.grid.pcie_tiles.empty()) {
        host_tile_ = architecture.grid.pcie_tiles.front();
    }
    place_tiles(architecture.grid.arc_tiles, TileKind::arc);
    place_dram_tiles(architecture.dram, board);
    name_tiles(architecture.grid, board);
}

void Grid::place_tiles(const std::vector<PhysicalCoordinate>& places, TileKind kind) {
    for (const PhysicalCoordinate place : places) {
        kinds_[index(node_index(place))] = kind;
    }
}

void Grid::place_tensix_tiles(const GridConstants& grid, const TorusBoard& board) {
    for (const std::int64_t row : grid.tensix_rows) {
        for (const std::int64_t column : grid.tensix_columns) {
            const PhysicalCoordinate place{.x = static_cast<int>(column), .y = static_cast<int>(row)};
            const bool row_is_harvested = contains_number(board.harvested_rows, row);
            if (row_is_harvested || contains_number(board.harvested_columns, column)) {
                place_tiles({place}, TileKind::harvested);
                harvested_[place] = row_is_harvested ? fmt::format("row {}", row) : fmt::format("column {}", column);
            } else {
                place_tiles({place}, TileKind::tensix);
                live_tensix_.push_back(place);
            }
        }
    }
}

void Grid::place_dram_tiles(const DramConstants& dram, const TorusBoard& board) {
    // Harvested channels come first: a shared tile is live if any of its channels is.
    for (const std::int64_t channel : board.harvested_dram_channels) {
        const auto& tiles = dram.channel_tiles[static_cast<std::size_t>(channel)];
        place_tiles(tiles, TileKind::harvested);
        for (const PhysicalCoordinate tile : tiles) {
            harvested_[tile] = fmt::format("DRAM channel {}", channel);
        }
    }
    for (std::size_t channel = 0; channel < dram.channel_tiles.size(); ++channel) {
        if (!contains_number(board.harvested_dram_channels, static_cast<std::int64_t>(channel))) {
            place_tiles(dram.channel_tiles[channel], TileKind::dram);
        }
    }
    for (const DramBank& bank : board.dram_placement_constants.banks) {
        if (!contains_number(board.harvested_dram_channels, bank.channel)) {
            dram_banks_.push_back(bank);
        }
    }
}

void Grid::name_tiles(const GridConstants& grid, const TorusBoard& board) {
    for (int y = 0; y < compute_rows_; ++y) {
        for (int x = 0; x < compute_columns_; ++x) {
            const LogicalCoordinate core{.x = x, .y = y};
            logical_[index(node_index(physical(core)))] = core;
        }
    }
    for (int node = 0; node < num_nodes(); ++node) {
        const PhysicalCoordinate place = place_of_node(node);
        translated_[index(node)] = {.x = place.x, .y = place.y};
    }
    const std::vector<int> translated_x =
        translation(grid.tensix_columns, board.harvested_columns, grid.translated_columns, columns_);
    const std::vector<int> translated_y =
        translation(grid.tensix_rows, board.harvested_rows, grid.translated_rows, rows_);
    for (const std::int64_t row : grid.tensix_rows) {
        for (const std::int64_t column : grid.tensix_columns) {
            const PhysicalCoordinate place{.x = static_cast<int>(column), .y = static_cast<int>(row)};
            translated_[index(node_index(place))] = {.x = translated_x[index(place.x)],
                                                     .y = translated_y[index(place.y)]};
        }
    }
    node_of_translated_.assign(index(kTranslatedPlaces * kTranslatedPlaces), -1);
    for (int node = num_nodes() - 1; node >= 0; --node) {
        const TranslatedCoordinate place = translated_[index(node)];
        node_of_translated_[index(place.y * kTranslatedPlaces + place.x)] = static_cast<std::int16_t>(node);
    }
}

PhysicalCoordinate Grid::physical(LogicalCoordinate core) const {
    if (core.x < 0 || core.x >= compute_columns_ || core.y < 0 || core.y >= compute_rows_) {
        throw InputError(
            fmt::format("core {}: expected a logical coordinate inside the compute grid of board {} (x from 0 "
                        "to {}, y from 0 to {}), found one outside it",
                        to_string(core), board_name_, compute_columns_ - 1, compute_rows_ - 1));
    }
    return {.x = live_columns_[index(core.x)], .y = live_rows_[index(core.y)]};
}

std::optional<LogicalCoordinate> Grid::logical(PhysicalCoordinate place) const {
    return contains(place) ? logical_[index(node_index(place))] : std::nullopt;
}

PhysicalCoordinate Grid::physical(TranslatedCoordinate place) const {
    const bool is_encodable = std::min(place.x, place.y) >= 0 && std::max(place.x, place.y) < kTranslatedPlaces;
    const int node = is_encodable ? node_of_translated_[index(place.y * kTranslatedPlaces + place.x)] : -1;
    if (node >= 0) {
        return place_of_node(node);
    }
    // Wormhole's tables map small coordinates to themselves; on Blackhole every coordinate is a translated one.
    if (const PhysicalCoordinate same{.x = place.x, .y = place.y}; contains(same)) {
        return same;
    }
    throw InputError(fmt::format("NoC address: expected the translated coordinate of a tile of board {}, found {}",
                                 board_name_, to_string(place)));
}

TranslatedCoordinate Grid::translated(PhysicalCoordinate place) const { return translated_[index(node_index(place))]; }

NocCoordinate Grid::noc_coordinate(int noc, PhysicalCoordinate place) const {
    return noc == 0 ? NocCoordinate{.x = place.x, .y = place.y}
                    : NocCoordinate{.x = columns_ - 1 - place.x, .y = rows_ - 1 - place.y};
}

PhysicalCoordinate Grid::physical(int noc, NocCoordinate place) const {
    return noc == 0 ? PhysicalCoordinate{.x = place.x, .y = place.y}
                    : PhysicalCoordinate{.x = columns_ - 1 - place.x, .y = rows_ - 1 - place.y};
}

void Grid::require_live_tensix(PhysicalCoordinate place) const {
    if (!contains(place)) {
        throw InputError(fmt::format("{} is outside the grid of {} ({} columns, {} rows)", to_string(place),
                                     architecture_name_, columns_, rows_));
    }
    switch (tile_kind(place)) {
        case TileKind::tensix:
            return;
        case TileKind::harvested:
            throw InputError(
                fmt::format("{} is harvested on board {} ({})", to_string(place), board_name_, harvested_.at(place)));
        default:
            throw InputError(fmt::format("{} is not a Tensix tile of {} ({})", to_string(place), architecture_name_,
                                         to_string(tile_kind(place))));
    }
}

}  // namespace nocbench
