#include "device_model/tenstorrent/arch/cross_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

#include "device_model/sim/ids.h"
#include "device_model/tenstorrent/arch/constants.h"

namespace nocbench {

namespace {

using Result = std::optional<Contradiction>;

/// Routers count the room of a virtual channel in five bits.
constexpr std::int64_t kFlitsPerVirtualChannelMaximum = 31;

bool contains(const std::vector<std::int64_t>& numbers, std::int64_t number) {
    return std::ranges::find(numbers, number) != numbers.end();
}

Result numbers_below(const std::vector<std::int64_t>& numbers, std::int64_t limit, std::string_view what) {
    for (const std::int64_t number : numbers) {
        if (number >= limit) {
            return Contradiction{fmt::format("numbers below {} ({})", limit, what), std::to_string(number)};
        }
    }
    return std::nullopt;
}

Result numbers_among(const std::vector<std::int64_t>& numbers, const std::vector<std::int64_t>& choices,
                     std::string_view what) {
    for (const std::int64_t number : numbers) {
        if (!contains(choices, number)) {
            return Contradiction{fmt::format("numbers among {} ({})", what, fmt::join(choices, ", ")),
                                 std::to_string(number)};
        }
    }
    return std::nullopt;
}

Result tiles_inside(const std::vector<PhysicalCoordinate>& tiles, const GridConstants& grid) {
    for (const PhysicalCoordinate tile : tiles) {
        if (tile.x >= grid.columns || tile.y >= grid.rows) {
            return Contradiction{
                fmt::format("places inside the grid of {} columns and {} rows", grid.columns, grid.rows),
                to_string(tile)};
        }
    }
    return std::nullopt;
}

bool is_tensix(const GridConstants& grid, PhysicalCoordinate tile) {
    return contains(grid.tensix_columns, tile.x) && contains(grid.tensix_rows, tile.y);
}

/// The class of tiles listed before `next_class` that holds a tile, or nothing. DRAM channels may share tiles among
/// themselves, so they are not looked into.
std::string_view earlier_class(const GridConstants& grid, PhysicalCoordinate tile, int next_class) {
    const auto holds = [&](const std::vector<PhysicalCoordinate>& tiles) {
        return std::ranges::find(tiles, tile) != tiles.end();
    };
    if (is_tensix(grid, tile)) {
        return "Tensix";
    }
    if (next_class > 1 && holds(grid.ethernet_tiles)) {
        return "Ethernet";
    }
    if (next_class > 2 && holds(grid.pcie_tiles)) {
        return "PCIe";
    }
    if (next_class > 3 && holds(grid.arc_tiles)) {
        return "ARC";
    }
    return {};
}

Result tiles_of_no_earlier_class(const GridConstants& grid, const std::vector<PhysicalCoordinate>& tiles,
                                 int tile_class) {
    for (const PhysicalCoordinate tile : tiles) {
        const std::string_view other = earlier_class(grid, tile, tile_class);
        if (!other.empty()) {
            return Contradiction{"tiles that are in no other class",
                                 fmt::format("{}, a tile of class {}", to_string(tile), other)};
        }
    }
    return std::nullopt;
}

std::vector<PhysicalCoordinate> dram_tiles(const DramConstants& dram) {
    std::vector<PhysicalCoordinate> tiles;
    for (const auto& channel : dram.channel_tiles) {
        tiles.insert(tiles.end(), channel.begin(), channel.end());
    }
    return tiles;
}

Result same_size(const std::vector<std::int64_t>& translated, const std::vector<std::int64_t>& tensix,
                 std::string_view what) {
    if (translated.size() == tensix.size()) {
        return std::nullopt;
    }
    return Contradiction{fmt::format("{} numbers, as many as {}", tensix.size(), what),
                         fmt::format("{}", translated.size())};
}

/// A translated coordinate that is also the place of some other tile would make a NoC address ambiguous.
Result translated_places_unambiguous(const Architecture& architecture, const Board& /*board*/) {
    const GridConstants& grid = torus_of(architecture).grid;
    for (const std::int64_t y : grid.translated_rows) {
        for (const std::int64_t x : grid.translated_columns) {
            const PhysicalCoordinate tile{.x = static_cast<int>(x), .y = static_cast<int>(y)};
            if (x < grid.columns && y < grid.rows && !is_tensix(grid, tile)) {
                return Contradiction{
                    "translated coordinates that are either outside the grid or places of Tensix tiles",
                    to_string(tile)};
            }
        }
    }
    return std::nullopt;
}

Result banks_on_their_channels(const Architecture& architecture, const Board& board) {
    const DramConstants& dram = torus_of(architecture).dram;
    const std::vector<DramBank>& banks = torus_of(board).dram_placement_constants.banks;
    for (std::size_t index = 0; index < banks.size(); ++index) {
        const DramBank& bank = banks[index];
        if (bank.channel >= static_cast<std::int64_t>(dram.channel_tiles.size())) {
            return Contradiction{fmt::format("channels below {} (dram.channel_tiles)", dram.channel_tiles.size()),
                                 fmt::format("channel {} of bank {}", bank.channel, index)};
        }
        const auto& tiles = dram.channel_tiles[static_cast<std::size_t>(bank.channel)];
        for (const PhysicalCoordinate endpoint : bank.endpoint) {
            if (std::ranges::find(tiles, endpoint) == tiles.end()) {
                return Contradiction{
                    "endpoints among the tiles of the bank's channel (dram.channel_tiles)",
                    fmt::format("{} of bank {}, which is on channel {}", to_string(endpoint), index, bank.channel)};
            }
        }
    }
    return std::nullopt;
}

/// Channels that share a tile are told apart by the address alone.
Result banks_apart(const Architecture& architecture, const Board& board) {
    const DramConstants& dram = torus_of(architecture).dram;
    const std::vector<DramBank>& banks = torus_of(board).dram_placement_constants.banks;
    for (std::size_t one = 0; one < banks.size(); ++one) {
        for (std::size_t other = 0; other < one; ++other) {
            const DramBank& a = banks[one];
            const DramBank& b = banks[other];
            const auto& tiles_of_a = dram.channel_tiles[static_cast<std::size_t>(a.channel)];
            const auto& tiles_of_b = dram.channel_tiles[static_cast<std::size_t>(b.channel)];
            const bool share_a_tile = std::ranges::find_first_of(tiles_of_a, tiles_of_b) != tiles_of_a.end();
            const bool overlap = a.offset_bytes < b.offset_bytes + dram.bank_size_bytes &&
                                 b.offset_bytes < a.offset_bytes + dram.bank_size_bytes;
            if (share_a_tile && overlap) {
                return Contradiction{
                    "banks that are reached through the same tiles to lie dram.bank_size_bytes apart",
                    fmt::format("banks {} and {} at offsets {} and {}", other, one, b.offset_bytes, a.offset_bytes)};
            }
        }
    }
    return std::nullopt;
}

Result interleaving(const Architecture& /*architecture*/, const Board& board) {
    const MemoryConstants& memory = torus_of(board).memory_constants;
    if (memory.bank_interleave_bytes > memory.subchannel_interleave_bytes) {
        return Contradiction{
            fmt::format("at most {} (memory.subchannel_interleave_bytes)", memory.subchannel_interleave_bytes),
            std::to_string(memory.bank_interleave_bytes)};
    }
    return std::nullopt;
}

Result channels_in_order(const Architecture& architecture, const Board& /*board*/) {
    const RouterConstants& router = torus_of(architecture).router;
    if (router.first_broadcast_virtual_channel >= router.first_response_virtual_channel) {
        return Contradiction{fmt::format("more than {} (router.first_broadcast_virtual_channel)",
                                         router.first_broadcast_virtual_channel),
                             std::to_string(router.first_response_virtual_channel)};
    }
    return at_most(router.first_response_virtual_channel, router.virtual_channels - 1,
                   "less than router.virtual_channels");
}

std::int64_t live(const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& harvested) {
    return static_cast<std::int64_t>(
        std::ranges::count_if(all, [&](std::int64_t number) { return !contains(harvested, number); }));
}

}  // namespace

std::vector<CrossCheck> torus_cross_checks() {
    using A = const Architecture&;
    using B = const Board&;
    return {
        {{"grid.tensix_columns", "grid.columns"},
         [](A a, B) {
             return numbers_below(torus_of(a).grid.tensix_columns, torus_of(a).grid.columns, "grid.columns");
         }},
        {{"grid.tensix_rows", "grid.rows"},
         [](A a, B) { return numbers_below(torus_of(a).grid.tensix_rows, torus_of(a).grid.rows, "grid.rows"); }},
        {{"grid.translated_columns", "grid.tensix_columns"},
         [](A a, B) {
             return same_size(torus_of(a).grid.translated_columns, torus_of(a).grid.tensix_columns,
                              "grid.tensix_columns");
         }},
        {{"grid.translated_rows", "grid.tensix_rows"},
         [](A a, B) {
             return same_size(torus_of(a).grid.translated_rows, torus_of(a).grid.tensix_rows, "grid.tensix_rows");
         }},
        {{"grid.translated_columns", "grid.translated_rows", "grid.tensix_columns", "grid.tensix_rows", "grid.columns",
          "grid.rows"},
         translated_places_unambiguous},
        {{"grid.ethernet_tiles", "grid.columns", "grid.rows"},
         [](A a, B) { return tiles_inside(torus_of(a).grid.ethernet_tiles, torus_of(a).grid); }},
        {{"grid.pcie_tiles", "grid.columns", "grid.rows"},
         [](A a, B) { return tiles_inside(torus_of(a).grid.pcie_tiles, torus_of(a).grid); }},
        {{"grid.arc_tiles", "grid.columns", "grid.rows"},
         [](A a, B) { return tiles_inside(torus_of(a).grid.arc_tiles, torus_of(a).grid); }},
        {{"dram.channel_tiles", "grid.columns", "grid.rows"},
         [](A a, B) { return tiles_inside(dram_tiles(torus_of(a).dram), torus_of(a).grid); }},
        {{"grid.ethernet_tiles", "grid.tensix_columns", "grid.tensix_rows"},
         [](A a, B) { return tiles_of_no_earlier_class(torus_of(a).grid, torus_of(a).grid.ethernet_tiles, 1); }},
        {{"grid.pcie_tiles", "grid.tensix_columns", "grid.tensix_rows", "grid.ethernet_tiles"},
         [](A a, B) { return tiles_of_no_earlier_class(torus_of(a).grid, torus_of(a).grid.pcie_tiles, 2); }},
        {{"grid.arc_tiles", "grid.tensix_columns", "grid.tensix_rows", "grid.ethernet_tiles", "grid.pcie_tiles"},
         [](A a, B) { return tiles_of_no_earlier_class(torus_of(a).grid, torus_of(a).grid.arc_tiles, 3); }},
        {{"dram.channel_tiles", "grid.tensix_columns", "grid.tensix_rows", "grid.ethernet_tiles", "grid.pcie_tiles",
          "grid.arc_tiles"},
         [](A a, B) { return tiles_of_no_earlier_class(torus_of(a).grid, dram_tiles(torus_of(a).dram), 4); }},
        {{"router.first_response_virtual_channel", "router.first_broadcast_virtual_channel", "router.virtual_channels"},
         channels_in_order},
        {{"router.virtual_channels", "router.datelines"},
         [](A a, B) {
             const RouterConstants& router = torus_of(a).router;
             return at_most(router.virtual_channels, kVirtualChannelsMax / (1 + router.datelines),
                            "16, of which router.datelines takes half");
         }},
        {{"router.datelines", "router.topology"},
         [](A a, B) {
             const RouterConstants& router = torus_of(a).router;
             return at_most(router.datelines, torus_of(a).is_mesh() ? 0 : 1, "router.topology: a mesh has no rings");
         }},
        {{"router.networks", "router.topology"},
         [](A a, B) {
             return at_most(torus_of(a).router.networks, torus_of(a).is_mesh() ? 1 : kNumNocs,
                            "router.topology: NoC 1 is a torus the other way round");
         }},
        {{"router.link_flits_on_end_max", "router.topology"},
         [](A a, B) -> Result {
             const RouterConstants& router = torus_of(a).router;
             if (torus_of(a).is_mesh() && router.link_flits_on_end_max != RouterConstants::kNeverIdles) {
                 return Contradiction{"never (router.topology: links of a mesh do not rest)",
                                      std::to_string(router.link_flits_on_end_max)};
             }
             return std::nullopt;
         }},
        {{"router.shared_flits_per_virtual_channel_max", "router.private_flits_per_virtual_channel"},
         [](A a, B) {
             return at_most(torus_of(a).router.shared_flits_per_virtual_channel_max,
                            kFlitsPerVirtualChannelMaximum - torus_of(a).router.private_flits_per_virtual_channel,
                            "31 less router.private_flits_per_virtual_channel");
         }},
        {{"router.shared_flits_per_virtual_channel_max", "router.shared_flits_per_input_port"},
         [](A a, B) {
             return at_most(torus_of(a).router.shared_flits_per_virtual_channel_max,
                            torus_of(a).router.shared_flits_per_input_port, "router.shared_flits_per_input_port");
         }},
        {{"l1.reserved_bytes", "l1.size_bytes"},
         [](A a, B) {
             return at_most(torus_of(a).l1.reserved_bytes, torus_of(a).l1.size_bytes - 1, "less than l1.size_bytes");
         }},
        {{"dram_placement.banks", "dram.channel_tiles", "dram.bank_size_bytes"},
         [](A a, B b) {
             const Result misplaced = banks_on_their_channels(a, b);
             return misplaced ? misplaced : banks_apart(a, b);
         }},
        {{"memory.bank_interleave_bytes", "memory.subchannel_interleave_bytes"}, interleaving},
        {{"board.harvested_rows", "grid.tensix_rows"},
         [](A a, B b) {
             return numbers_among(torus_of(b).harvested_rows, torus_of(a).grid.tensix_rows, "grid.tensix_rows");
         }},
        {{"board.harvested_columns", "grid.tensix_columns"},
         [](A a, B b) {
             return numbers_among(torus_of(b).harvested_columns, torus_of(a).grid.tensix_columns,
                                  "grid.tensix_columns");
         }},
        {{"board.harvested_dram_channels", "dram.channel_tiles"},
         [](A a, B b) {
             return numbers_below(torus_of(b).harvested_dram_channels,
                                  static_cast<std::int64_t>(torus_of(a).dram.channel_tiles.size()),
                                  "the number of dram.channel_tiles");
         }},
        {{"board.compute_rows", "board.harvested_rows", "grid.tensix_rows"},
         [](A a, B b) {
             return at_most(torus_of(b).compute_rows, live(torus_of(a).grid.tensix_rows, torus_of(b).harvested_rows),
                            "rows of grid.tensix_rows that are not harvested");
         }},
        {{"board.compute_columns", "board.harvested_columns", "grid.tensix_columns"},
         [](A a, B b) {
             return at_most(torus_of(b).compute_columns,
                            live(torus_of(a).grid.tensix_columns, torus_of(b).harvested_columns),
                            "columns of grid.tensix_columns that are not harvested");
         }},
        {{"board.host_link"}, [](A a, B b) { return part_exists(a, "host_links", torus_of(b).host_link); }},
        {{"board.memory"}, [](A a, B b) { return part_exists(a, "memories", torus_of(b).memory); }},
        {{"board.dram_placement"},
         [](A a, B b) { return part_exists(a, "dram_placements", torus_of(b).dram_placement); }},
    };
}

}  // namespace nocbench
