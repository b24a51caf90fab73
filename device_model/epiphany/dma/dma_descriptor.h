// Descriptor of a DMA transfer, as laid out in an Epiphany core's memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nocbench {

/// 24 bytes in memory, as six words: configuration and next descriptor; strides; counts; source; destination.
/// Source: Epiphany Architecture Reference, DMA descriptor.
struct DmaDescriptor {
    static constexpr std::size_t kBytes = 24;

    std::uint8_t element_bytes = 8;  // 1, 2, 4 or 8
    bool chains = false;             // continues with `next`
    bool interrupts = false;         // interrupts the core at its end
    // completes when the last data have arrived, not when they are requested (MSGMODE)
    bool waits_for_last_read = true;
    std::uint16_t next = 0;  // address of the next descriptor, in the core's own memory
    std::int16_t inner_source_stride = 8;
    std::int16_t inner_destination_stride = 8;
    std::uint16_t inner_count = 0;
    std::uint16_t outer_count = 1;
    std::int16_t outer_source_stride = 0;
    std::int16_t outer_destination_stride = 0;
    std::uint32_t source = 0;
    std::uint32_t destination = 0;

    [[nodiscard]] std::array<std::byte, kBytes> encoded() const;
    static DmaDescriptor decoded(const std::array<std::byte, kBytes>& bytes);
};

}  // namespace nocbench
