// Assignment of cores to DRAM banks: the core next to a bank, and its neighbours in the row.
#pragma once

#include <cstdint>
#include <vector>

#include "device_model/tenstorrent/grid.h"
#include "kernels/frame/point.h"

namespace nocbench::dram_sharded {

/// Returns the number of banks given by parameter `banks`; "all" stands for all banks of the board.
std::uint32_t num_banks_of(const Point& point);

/// Neighbours of a core in its row. Both ends of the row are neighbours.
enum class Side : std::uint8_t { right, left, both };

struct BankCore {
    LogicalCoordinate core;
    std::uint32_t bank = 0;
};

struct BankCoresWanted {
    Side side = Side::both;
    int noc = 0;
    std::uint32_t num_banks = 0;       // from the first one on
    std::uint32_t cores_per_bank = 0;  // at most; a core reads from one bank
};

/// Assigns cores to banks: to each bank the core next to it, then the neighbours of that core, in turn. Neighbours on
/// both sides alternate, beginning on the right. A core that another bank has already is left out, and so is a
/// neighbour outside the compute grid, such as one in a column that is kept for dispatch.
std::vector<BankCore> cores_of_banks(const Grid& grid, const BankCoresWanted& wanted);

}  // namespace nocbench::dram_sharded
