#include "dram_pages/dram_sharded/bank_cores.h"

#include <cstddef>
#include <cstdint>
#include <set>

#include "kernels/frame/tensix/cores_next_to_banks.h"

namespace nocbench::dram_sharded {

namespace {

/// Returns the number of columns with live Tensix tiles, those outside the compute grid included.
int live_columns(const Grid& grid) {
    int count = 0;
    for (int x = 0; x < grid.columns(); ++x) {
        bool is_live = false;
        for (int y = 0; y < grid.rows(); ++y) {
            is_live = is_live || grid.tile_kind({.x = x, .y = y}) == TileKind::tensix;
        }
        count += is_live ? 1 : 0;
    }
    return count;
}

/// Returns the place `step` columns beside `core` in a row of `columns`, which has more; 0: the core itself.
LogicalCoordinate neighbour(int columns, LogicalCoordinate core, Side side, int step) {
    int offset = side == Side::left ? -step : step;
    if (side == Side::both) {
        offset = step % 2 == 0 ? -step / 2 : (step + 1) / 2;
    }
    const int x = core.x + offset;
    return {.x = x < 0 ? x + columns : x >= columns ? x - columns : x, .y = core.y};
}

}  // namespace

std::uint32_t num_banks_of(const Point& point) {
    const auto num_banks = static_cast<std::uint32_t>(point.device().grid().dram_banks().size());
    return point.says("banks", "all") ? num_banks : point.number("banks", 1, num_banks);
}

std::vector<BankCore> cores_of_banks(const Grid& grid, const BankCoresWanted& wanted) {
    const std::vector<LogicalCoordinate> next_to_bank = cores_next_to_banks(grid, wanted.noc);
    const int columns = live_columns(grid);
    std::set<LogicalCoordinate> taken;
    std::vector<BankCore> cores;
    for (std::uint32_t step = 0; step < wanted.cores_per_bank; ++step) {
        for (std::uint32_t bank = 0; bank < wanted.num_banks; ++bank) {
            const LogicalCoordinate core = neighbour(columns, next_to_bank[bank], wanted.side, static_cast<int>(step));
            if (core.x < grid.compute_columns() && taken.insert(core).second) {
                cores.push_back({.core = core, .bank = bank});
            }
        }
    }
    return cores;
}

}  // namespace nocbench::dram_sharded
