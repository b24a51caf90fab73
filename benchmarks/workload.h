// Common parts of benchmarks of whole devices.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model/noc/accelerators.h"
#include "device_model/noc/network.h"
#include "device_model/sim/coordinate.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

/// Returns the architecture of a board, loaded once.
const Architecture& architecture_of(const std::string& board);

/// Returns the engine's accelerators for benchmarks: all except those after --without (main.cpp).
AcceleratorSet& accelerators();

/// Returns the accuracy for whole devices: exact except with --fast (main.cpp).
Accuracy& accuracy();

/// Applies the chosen accelerators to a device.
void choose_accelerators(Device& device);

/// Returns the cores at columns 0 to `columns` - 1 and rows 0 to `rows` - 1, row by row.
std::vector<LogicalCoordinate> rectangle(int columns, int rows);

/// Returns non-repeating bytes, equal on every core, so that the order of arrivals has no influence.
std::vector<std::byte> pattern(std::size_t size);

/// Returns the number of routers that a packet crosses, including those of both tiles.
std::uint64_t routers(const Grid& grid, int noc, LogicalCoordinate from, LogicalCoordinate to);

/// Returns a counter that is shown per second of host time.
benchmark::Counter per_second(std::uint64_t count);

/// Returns a counter that is shown in KiB, MiB or GiB.
benchmark::Counter binary_bytes(std::uint64_t bytes);

}  // namespace nocbench
