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
    end_reservations(place, out.size(), false);
    if (place.is_external) {
        external_.read(place.offset, out);
    } else if (const Node& node = nodes_[place.node]; node.guest != nullptr) {
        std::ranges::copy(node.guest->memory().subspan(place.offset, out.size()), out.begin());
    } else {
        node.memory.read(place.offset, out);
    }
}

void EpiphanyMemory::write(const EpiphanyPlace& place, std::span<const std::byte> bytes) {
    end_reservations(place, bytes.size(), true);
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

std::uint64_t EpiphanyMemory::read_at(const EpiphanyPlace& place, std::size_t size, Tick tick) const {
    if (!past_data_.empty()) {
        std::uint64_t value = 0;
        std::ranges::copy(past_data_.subspan(place.offset - past_.offset, size),
                          std::as_writable_bytes(std::span(&value, 1)).begin());
        return value;
    }
    if (!place.is_external && !place.is_register() && guest(place.node) != nullptr) {
        guest(place.node)->about_to_be_read(place.offset, size, tick);
    }
    return read_word(place, size);
}

void EpiphanyMemory::write_at(const EpiphanyPlace& place, std::span<const std::byte> bytes, Tick tick) {
    if (!place.is_external && guest(place.node) != nullptr) {
        end_reservations(place, bytes.size(), true);
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
    Tick& busy_until = nodes_[place.node].bank_busy_until[bank];
    if (!past_data_.empty()) {  // the access was reserved, and may be earlier than the last one
        const Tick begin = busy_until <= tick + kTicksPerCycle ? std::max(tick, busy_until) : tick;
        busy_until = std::max(busy_until, begin + kTicksPerCycle);
        return begin;
    }
    disturb(place.node, [&](const MemoryReservation& each) {
        return clashes(each, bank, tick, std::max(tick, busy_until) + kTicksPerCycle);
    });
    const Tick begin = std::max(tick, busy_until);
    busy_until = begin + kTicksPerCycle;
    return begin;
}

void EpiphanyMemory::set_guest(NodeIndex node, EpiphanyGuest* guest) {
    disturb(node, [](const MemoryReservation& /*each*/) { return true; });
    nodes_[node].guest = guest;
}

void EpiphanyMemory::end_reservations(const EpiphanyPlace& place, std::size_t bytes, bool writes) const {
    if (!place.is_external) {
        disturb(place.node, [&](const MemoryReservation& each) {
            return (writes || each.is_written) && each.overlaps(place.offset, place.offset + bytes);
        });
    }
}

bool EpiphanyMemory::clashes(const MemoryReservation& reservation, std::size_t bank, Tick tick, Tick end) const {
    const Tick since = tick - reservation.busy - reservation.first;  // accesses later than this clash
    for (Tick element = since < 0 ? 0 : since / reservation.period + 1; element < reservation.count; ++element) {
        const auto number = static_cast<std::uint32_t>(element);
        if (reservation.access(number) >= end) {
            return false;
        }
        if (bank_of(reservation.offset(number)) == bank) {
            return true;
        }
    }
    return false;
}

bool EpiphanyMemory::may_reserve(NodeIndex node, const MemoryReservation& reservation) const {
    const auto first_bank = static_cast<std::ptrdiff_t>(bank_of(reservation.begin));
    const auto last_bank = static_cast<std::ptrdiff_t>(bank_of(reservation.end() - 1));
    const std::vector<Tick>& busy_until = nodes_[node].bank_busy_until;
    const auto concerns = [&](const MemoryReservation& each) {
        if ((reservation.is_written || each.is_written) && each.overlaps(reservation.begin, reservation.end())) {
            return true;
        }
        const Tick end = each.access(each.count);
        for (std::uint32_t element = 0; element < reservation.count && reservation.access(element) < end; ++element) {
            const Tick tick = reservation.access(element);
            if (clashes(each, bank_of(reservation.offset(element)), tick, tick + reservation.busy)) {
                return true;
            }
        }
        return false;
    };
    return std::all_of(busy_until.begin() + first_bank, busy_until.begin() + last_bank + 1,
                       [&](Tick tick) { return tick <= reservation.first; }) &&
           std::ranges::none_of(nodes_[node].reservations, concerns);
}

void EpiphanyMemory::give_back(NodeIndex node, NodeIndex holder) {
    std::erase_if(nodes_[node].reservations, [&](const MemoryReservation& each) { return each.holder == holder; });
}

}  // namespace nocbench
