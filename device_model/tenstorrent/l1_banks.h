// Banks of interleaved buffers in L1: each core of the compute grid is one, in an order of tt-metal's allocator.
#pragma once

#include <vector>

#include "device_model/tenstorrent/grid.h"

namespace nocbench {

/// Returns the core of each bank. tt-metal numbers the cores of the compute grid row by row, and shuffles these numbers
/// by std::shuffle with std::default_random_engine(0). The outcome depends on the standard library; tt-metal is built
/// with libstdc++. The same numbers are drawn here with every library. Source: tt-metal
/// tt_metal/impl/allocator/l1_banking_allocator.cpp, init_compute_and_storage_l1_bank_manager().
std::vector<LogicalCoordinate> cores_of_l1_banks(const Grid& grid);

}  // namespace nocbench
