// Page counts of circular buffers: two registers of the stream that has the number of the buffer. Source: tt-metal,
// stream_io_map.h.
#pragma once

#include <cstdint>

namespace nocbench {

inline constexpr std::uint32_t kNumCircularBuffersOfTile = 32;
inline constexpr std::uint32_t kStreamBytes = 0x1000;
/// Words of a row of the table by which code knows its buffers: bytes, end, page bytes, pages, read and write pointer,
/// page counts, place of the next packed tile. Source: tt-metal, circular_buffer_interface.h.
inline constexpr std::uint32_t kBufferTableWords = 8;
// Offsets in the registers of a stream.
inline constexpr std::uint32_t kPagesReceived = 0x28;
inline constexpr std::uint32_t kPagesAcknowledged = 0x20;

}  // namespace nocbench
