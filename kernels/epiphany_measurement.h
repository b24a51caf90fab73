// From kernels on an Epiphany device to the measurement of a point.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/architecture.h"
#include "device_model/epiphany_device.h"
#include "kernels/primitive.h"

namespace nocbench {

EpiphanyShape shape_of(const Board& board);

/// The timed zone of kernels on Epiphany cores, and the label of their result rows.
inline constexpr const char* kEpiphanyZone = "Core";

/// Adds what the kernels of a device that has run did: each moved `bytes_per_core` in its zone kEpiphanyZone.
void add_device(Measurement& measurement, const EpiphanyDevice& device, double bytes_per_core);

/// Adds the row of all cores that have been added. `together` means one duration, from the first core's start to the
/// last one's end, and the bandwidth of all of them; else both are means over the cores.
void add_row(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault,
             bool together = false);

/// Adds a row for each core that has been added: "Core 0,0".
void add_rows_by_core(Measurement& measurement, std::uint64_t transaction_size_bytes, const std::string& data_fault);

}  // namespace nocbench
