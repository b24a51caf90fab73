// Transfers of data, packet by packet.
#pragma once

#include <cstdint>

#include "kernels/tensix/dataflow/commands.h"

namespace nocbench::dataflow {

/// Writes `size` bytes at `source` to `target`.
void write(const Caller& caller, std::uint32_t source, CommandTarget target, std::uint32_t size, const Command& command,
           bool one_packet);

void write_unicast(const char* call, std::uint32_t source, std::uint64_t destination, std::uint32_t size,
                   std::uint8_t noc, std::uint8_t vc, bool posted, bool one_packet, std::uint8_t buffer);

/// Counts a write for the barriers.
void count_write(const Caller& caller, const Command& command, const CommandTarget& target);

}  // namespace nocbench::dataflow
