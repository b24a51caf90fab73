#include "device_model/epiphany/dma/dma_descriptor.h"

#include <bit>
#include <cstring>

namespace nocbench {

namespace {

// Bits of the configuration half-word.
constexpr std::uint16_t kEnable = 1U << 0U;
constexpr std::uint16_t kChain = 1U << 2U;
constexpr std::uint16_t kInterrupt = 1U << 4U;
constexpr unsigned kSizeShift = 5;
constexpr std::uint16_t kMessageMode = 1U << 10U;

struct Words {
    std::uint16_t config;
    std::uint16_t next;
    std::int16_t inner_source_stride;
    std::int16_t inner_destination_stride;
    std::uint16_t inner_count;
    std::uint16_t outer_count;
    std::int16_t outer_source_stride;
    std::int16_t outer_destination_stride;
    std::uint32_t source;
    std::uint32_t destination;
};

static_assert(sizeof(Words) == DmaDescriptor::kBytes);

}  // namespace

std::array<std::byte, DmaDescriptor::kBytes> DmaDescriptor::encoded() const {
    const auto size_bits = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(element_bytes)));
    const auto config = static_cast<std::uint16_t>(kEnable | (chains ? kChain : 0U) | (interrupts ? kInterrupt : 0U) |
                                                   (waits_for_last_read ? kMessageMode : 0U) | size_bits << kSizeShift);
    const Words words{config,      next,        inner_source_stride, inner_destination_stride,
                      inner_count, outer_count, outer_source_stride, outer_destination_stride,
                      source,      destination};
    return std::bit_cast<std::array<std::byte, kBytes>>(words);
}

DmaDescriptor DmaDescriptor::decoded(const std::array<std::byte, kBytes>& bytes) {
    const auto words = std::bit_cast<Words>(bytes);
    DmaDescriptor descriptor;
    descriptor.element_bytes = static_cast<std::uint8_t>(1U << (words.config >> kSizeShift & 3U));
    descriptor.chains = (words.config & kChain) != 0;
    descriptor.interrupts = (words.config & kInterrupt) != 0;
    descriptor.waits_for_last_read = (words.config & kMessageMode) != 0;
    descriptor.next = words.next;
    descriptor.inner_source_stride = words.inner_source_stride;
    descriptor.inner_destination_stride = words.inner_destination_stride;
    descriptor.inner_count = words.inner_count;
    descriptor.outer_count = words.outer_count;
    descriptor.outer_source_stride = words.outer_source_stride;
    descriptor.outer_destination_stride = words.outer_destination_stride;
    descriptor.source = words.source;
    descriptor.destination = words.destination;
    return descriptor;
}

}  // namespace nocbench
