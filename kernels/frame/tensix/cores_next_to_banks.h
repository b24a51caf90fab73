// Assignment of cores to DRAM banks: the core next to a bank.
#pragma once

#include <vector>

#include "device_model/tenstorrent/grid.h"

namespace nocbench {

/// Returns the core that tt-metal assigns to each bank, for the bank's endpoint on NoC `noc`: the core to the right of
/// the endpoint. If that is in a harvested column, or in one outside the compute grid, the next column to the right is
/// used. A bank in a row without compute cores moves to another row, and up to three columns further to the right.
/// Source: tt-metal tt_metal/common/core_assignment.cpp, get_optimal_dram_to_physical_worker_assignment().
std::vector<LogicalCoordinate> cores_next_to_banks(const Grid& grid, int noc);

}  // namespace nocbench
