// What benchmarks of whole devices have in common.
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

/// Of a board; loaded once.
const Architecture& architecture_of(const std::string& board);

/// The accelerators of the engine that benchmarks run with: all but those after --without (main.cpp).
AcceleratorSet& accelerators();

/// The accuracy of whole devices: exact but after --fast (main.cpp).
Accuracy& accuracy();

/// A device takes those.
void choose_accelerators(Device& device);

/// The cores at columns 0 to `columns` - 1 and rows 0 to `rows` - 1, row by row.
std::vector<LogicalCoordinate> rectangle(int columns, int rows);

/// Bytes that do not repeat. The same on every core, so that it does not matter whose arrived last.
std::vector<std::byte> pattern(std::size_t size);

/// Routers that a packet crosses, those of both tiles included.
std::uint64_t routers(const Grid& grid, int noc, LogicalCoordinate from, LogicalCoordinate to);

/// A counter that is shown per second of host time.
benchmark::Counter per_second(std::uint64_t count);

}  // namespace nocbench
