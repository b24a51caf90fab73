// Repeated transfers by stateful calls, which move a packet each: larger transfers are cut into packets here.
#pragma once

#include <cstdint>

#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

/// Writes `size` bytes to the same place `count` times, on the NoC of the kernel. Does not wait for them.
void write_statefully(std::uint32_t source_l1, std::uint64_t destination, std::uint32_t size, std::uint32_t count,
                      std::uint8_t vc = NOC_UNICAST_WRITE_VC);

/// Reads `size` bytes from the same place `count` times, on the NoC of the kernel. Does not wait for them.
void read_statefully(std::uint64_t source, std::uint32_t destination_l1, std::uint32_t size, std::uint32_t count,
                     std::uint8_t vc = NOC_UNICAST_WRITE_VC);

}  // namespace nocbench::dataflow
