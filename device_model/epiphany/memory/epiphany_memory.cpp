#include "device_model/epiphany/memory/epiphany_memory.h"

#include <algorithm>
#include <bit>

#include "device_model/epiphany/epiphany_guest.h"

namespace nocbench {

EpiphanyMemory::EpiphanyMemory(const EpiphanyCoreConstants& constants, std::size_t num_nodes)
    : constants_(constants), nodes_(num_nodes) {
    for (Node& node : nodes_) {
        node.bank_busy_until.resize(static_cast<std::size_t>(constants.memory_banks));
    }
}

void EpiphanyMemory::read(const EpiphanyPlace& place, std::span<std::byte> out) const {
    if (place.is_external) {
        external_.read(place.offset, out);
    } else if (const Node& node = nodes_[place.node]; node.guest != nullptr) {
        std::ranges::copy(node.guest->memory().subspan(place.offset, out.size()), out.begin());
    } else {
        node.memory.read(place.offset, out);
    }
}

void EpiphanyMemory::write(const EpiphanyPlace& place, std::span<const std::byte> bytes) {
    if (place.is_external) {
        external_.write(place.offset, bytes);
    } else if (Node& node = nodes_[place.node]; node.guest != nullptr) {
        std::ranges::copy(bytes, node.guest->memory().begin() + static_cast<std::ptrdiff_t>(place.offset));
    } else {
        node.memory.write(place.offset, bytes);
    }
}

std::uint64_t EpiphanyMemory::read_word(const EpiphanyPlace& place, std::size_t size) const {
    if (place.is_register()) {
        for (std::size_t channel = 0; channel < kNumDmaChannels; ++channel) {
            if (place.offset == kDmaRegisterOffset + channel * kDmaRegisterStride + kDmaStatusOffset) {
                return nodes_[place.node].dma_is_active[channel] ? kDmaActive : kDmaIdle;
            }
        }
        return 0;
    }
    std::array<std::byte, sizeof(std::uint64_t)> bytes{};
    read(place, std::span(bytes).first(size));
    return std::bit_cast<std::uint64_t>(bytes);
}

void EpiphanyMemory::announce_read(const EpiphanyPlace& place, std::size_t size, Tick tick) const {
    if (!place.is_external && !place.is_register() && guest(place.node) != nullptr) {
        guest(place.node)->about_to_be_read(place.offset, size, tick);
    }
}

void EpiphanyMemory::write_at(const EpiphanyPlace& place, std::span<const std::byte> bytes, Tick tick) {
    if (!place.is_external && guest(place.node) != nullptr) {
        guest(place.node)->write(place.offset, bytes, tick);
    } else {
        write(place, bytes);
    }
}

Tick EpiphanyMemory::take_bank(const EpiphanyPlace& place, Tick tick) {
    if (place.is_external || place.is_register()) {
        return tick;
    }
    const std::uint64_t bank_bytes =
        static_cast<std::uint64_t>(constants_.memory_bytes) / static_cast<std::uint64_t>(constants_.memory_banks);
    Tick& busy_until = nodes_[place.node].bank_busy_until[static_cast<std::size_t>(place.offset / bank_bytes)];
    const Tick begin = std::max(tick, busy_until);
    busy_until = begin + kTicksPerCycle;
    return begin;
}

}  // namespace nocbench
