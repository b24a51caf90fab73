// Findings of a check, with the kernels and memories that are concerned.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/processor.h"
#include "device_model/tenstorrent/checks/finding.h"

namespace nocbench {

class Device;

/// An address that programs know.
struct KnownAddress {
    std::optional<LogicalCoordinate> core;  // of the L1; without it,
    std::optional<std::uint32_t> bank;      // of DRAM; without it, memory of the host, or of a tile without a core
    std::uint64_t address = 0;              // in L1, the bank or host memory
};

KnownAddress known_address(Device& device, NodeIndex node, std::uint64_t address);

struct LocatedFinding {
    Finding finding;
    std::optional<Processor::Identity> first;
    std::optional<Processor::Identity> second;
    KnownAddress begin;
};

/// Returns what the checks of a device have found so far.
std::vector<LocatedFinding> located_findings(Device& device);

}  // namespace nocbench
