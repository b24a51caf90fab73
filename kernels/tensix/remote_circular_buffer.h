// Circular buffers between cores: what firmware makes of their configuration in L1 before kernels begin.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/tenstorrent/tile/page_counts.h"

namespace nocbench {

class Device;

/// Bytes of what both cores count. Their counters are as far apart. Source: tt-metal, remote_circular_buffer.h.
inline constexpr std::uint32_t kRemoteUnitBytes = 16;

/// One end of a circular buffer between cores, as a core of the program has it.
struct RemoteCircularBuffer {
    std::uint32_t id = 0;
    std::uint32_t config_address = 0;  // of the configuration, in L1 of the core
    std::uint32_t page_bytes = 0;
    std::vector<std::uint32_t> local_ids;  // buffers within the core that lie on it
};

/// Words of a buffer in the firmware's table, by which kernels use it.
using BufferInterface = std::array<std::uint32_t, kBufferTableWords>;

/// Returns the words of an end with this size of pages: whole pages from its start on. If the last program ended
/// between two of them, the end moves on to the next, and both cores count the bytes that it passes. Throws InputError
/// if a receiver would pass bytes that its sender has not passed: the sender must be set up before it.
BufferInterface set_up_remote_circular_buffer(Device& device, LogicalCoordinate core,
                                              const RemoteCircularBuffer& buffer);

/// Returns the words of a buffer within the core that lies on an end. Throws InputError unless it has whole pages.
BufferInterface interface_on(const BufferInterface& remote, std::uint32_t id, std::uint32_t page_bytes);

}  // namespace nocbench
