// Repeated transfers by stateful calls of one packet each; longer transfers are split.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/tensix/dataflow_api.h"

namespace nocbench::dataflow {

/// Calls `set_state(bytes)` to set up packets of that length, and `move(offset)` for the packet at `offset`. A shorter
/// packet at the end needs its own set-up.
template <class SetState, class Move>
void repeat_statefully(std::uint32_t size, std::uint32_t count, SetState set_state, Move move) {
    const std::uint32_t packet_bytes = std::min(size, noc_max_burst_size());
    const std::uint32_t rest = size % packet_bytes;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i == 0 || rest != 0) {
            set_state(packet_bytes);
        }
        for (std::uint32_t offset = 0; offset < size - rest; offset += packet_bytes) {
            move(offset);
        }
        if (rest != 0) {
            set_state(rest);
            move(size - rest);
        }
    }
}

/// Writes `size` bytes to the same place `count` times, on the kernel's NoC, without waiting.
inline void write_statefully(std::uint32_t source_l1, std::uint64_t destination, std::uint32_t size,
                             std::uint32_t count, std::uint8_t vc = NOC_UNICAST_WRITE_VC) {
    repeat_statefully(
        size, count,
        [&](std::uint32_t bytes) { noc_async_write_one_packet_set_state(destination, bytes, kNocOfKernel, vc); },
        [&](std::uint32_t offset) {
            noc_async_write_one_packet_with_state(source_l1 + offset, static_cast<std::uint32_t>(destination) + offset);
        });
}

/// Reads `size` bytes from the same place `count` times, on the kernel's NoC, without waiting.
inline void read_statefully(std::uint64_t source, std::uint32_t destination_l1, std::uint32_t size, std::uint32_t count,
                            std::uint8_t vc = NOC_UNICAST_WRITE_VC) {
    repeat_statefully(
        size, count, [&](std::uint32_t bytes) { noc_async_read_one_packet_set_state(source, bytes, kNocOfKernel, vc); },
        [&](std::uint32_t offset) {
            noc_async_read_one_packet_with_state(static_cast<std::uint32_t>(source) + offset, destination_l1 + offset);
        });
}

}  // namespace nocbench::dataflow
