// Device table ("self-describing bus", SDB) by which programs explore an unknown bus: a record of 64 bytes for the
// crossbar and one for each device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/wishbone/bus.h"

namespace nocbench::wishbone {

inline constexpr std::size_t kTableRecordBytes = 64;
/// Maximum number of records, including the crossbar's own. Source: limit of client libraries.
inline constexpr std::size_t kTableRecordsMax = 256;
inline constexpr std::size_t kDeviceNameCharacters = 19;

/// Returns the table of all listed devices as in memory, big-endian. Throws InputError for too many devices or too long
/// names.
std::vector<std::byte> device_table(const Bus& bus);

/// Adds the table of the current devices as a read-only memory at `address`. Throws InputError like device_table() and
/// Bus::add().
void add_device_table(Bus& bus, std::uint64_t address, Cycle acknowledge_cycles);

}  // namespace nocbench::wishbone
