#include "device_model/epiphany/memory/epiphany_memory.h"

#include <algorithm>
#include <bit>

#include "device_model/epiphany/epiphany_guest.h"

namespace nocbench {

EpiphanyMemory::EpiphanyMemory(const EpiphanyCoreConstants& constants, std::size_t num_nodes)
    : bank_bytes_(static_cast<std::uint64_t>(constants.memory_bytes / constants.memory_banks)), nodes_(num_nodes) {
    for (Node& node : nodes_) {
        node.bank_busy_until.resize(static_cast<std::size_t>(constants.memory_banks));
    }
}

void EpiphanyMemory::read(const EpiphanyPlace& place, std::span<std::byte> out) const {
    disturb_by_access(place, out.size());
    if (place.is_external) {
        external_.read(place.offset, out);
    } else if (const Node& node = nodes_[place.node]; node.guest != nullptr) {
        std::ranges::copy(node.guest->memory().subspan(place.offset, out.size()), out.begin());
    } else {
        node.memory.read(place.offset, out);
    }
}

void EpiphanyMemory::write(const EpiphanyPlace& place, std::span<const std::byte> bytes) {
    disturb_by_access(place, bytes.size());
    write_reserved(place, bytes);
}

void EpiphanyMemory::write_reserved(const EpiphanyPlace& place, std::span<const std::byte> bytes) {
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
        disturb_by_access(place, bytes.size());
        guest(place.node)->write(place.offset, bytes, tick);
    } else {
        write(place, bytes);
    }
}

Tick EpiphanyMemory::take_bank(const EpiphanyPlace& place, Tick tick) {
    if (place.is_external || place.is_register()) {
        return tick;
    }
    const std::size_t bank = bank_of(place.offset);
    disturb(place.node, [&](const Reservation& each) { return bank_of(each.begin) <= bank && bank <= bank_of(each.end - 1); });
    Tick& busy_until = nodes_[place.node].bank_busy_until[bank];
    const Tick begin = std::max(tick, busy_until);
    busy_until = begin + kTicksPerCycle;
    return begin;
}

void EpiphanyMemory::set_guest(NodeIndex node, EpiphanyGuest* guest) {
    disturb(node, [](const Reservation& /*each*/) { return true; });
    nodes_[node].guest = guest;
}

void EpiphanyMemory::disturb_by_access(const EpiphanyPlace& place, std::size_t bytes) const {
    if (!place.is_external) {
        disturb(place.node, [&](const Reservation& each) {
            return place.offset < each.end && each.begin < place.offset + bytes;
        });
    }
}

bool EpiphanyMemory::is_idle(const EpiphanyPlace& place, std::size_t bytes, Tick tick) const {
    const Node& node = nodes_[place.node];
    const std::size_t first = bank_of(place.offset);
    const std::size_t last = bank_of(place.offset + bytes - 1);
    const auto is_reserved = [&](const Reservation& each) { return bank_of(each.begin) <= last && first <= bank_of(each.end - 1); };
    const std::span banks = std::span(node.bank_busy_until).subspan(first, last - first + 1);
    return std::ranges::none_of(node.reservations, is_reserved) &&
           std::ranges::all_of(banks, [&](Tick busy_until) { return busy_until <= tick; });
}

void EpiphanyMemory::reserve(const EpiphanyPlace& place, std::size_t bytes, NodeIndex holder) {
    nodes_[place.node].reservations.push_back({place.offset, place.offset + bytes, holder});
}

void EpiphanyMemory::give_back(const EpiphanyPlace& place, NodeIndex holder) {
    std::erase_if(nodes_[place.node].reservations, [&](const Reservation& each) {
        return each.holder == holder && each.begin == place.offset;
    });
}

}  // namespace nocbench
