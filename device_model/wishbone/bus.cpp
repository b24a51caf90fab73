#include "device_model/wishbone/bus.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device_model/sim/error.h"
#include "device_model/wishbone/etherbone_codec.h"

namespace nocbench::wishbone {

namespace {

constexpr std::uint64_t kWord = kWordBytes;

std::string described(const DeviceIdentity& device) {
    return fmt::format("{} at 0x{:x} to 0x{:x}", device.name, device.first_address, device.last_address);
}

}  // namespace

void Bus::add(std::unique_ptr<BusDevice> device) {
    const DeviceIdentity& identity = device->identity();
    if (identity.first_address % kWord != 0 || (identity.last_address + 1) % kWord != 0 ||
        identity.first_address > identity.last_address || identity.last_address > kLastAddress) {
        throw InputError(
            fmt::format("bus device: expected a range of whole words of {} bytes within 0x0 to 0x{:x}, "
                        "found {}",
                        kWordBytes, kLastAddress, described(identity)));
    }
    const auto next = std::ranges::upper_bound(devices_, identity.first_address, {},
                                               [](const auto& other) { return other->identity().first_address; });
    for (const auto neighbour : {next == devices_.begin() ? devices_.end() : std::prev(next), next}) {
        if (neighbour != devices_.end() && (*neighbour)->identity().first_address <= identity.last_address &&
            (*neighbour)->identity().last_address >= identity.first_address) {
            throw InputError(fmt::format("bus device: expected a range that is free, found {}, which overlaps {}",
                                         described(identity), described((*neighbour)->identity())));
        }
    }
    use_.insert(use_.begin() + (next - devices_.begin()), DeviceUse{});
    devices_.insert(next, std::move(device));
}

BusReply Bus::access(const BusAccess& access) {
    const std::optional<Lanes> lanes = lanes_of(access.select, access.port_bytes);
    const auto port = static_cast<std::uint64_t>(access.port_bytes);
    BusReply reply;
    // The range check comes first: for an address beyond the bus, the end of the port can overflow.
    if (!lanes || access.address > kLastAddress) {
        reply.device = owner_of(access.address);
        return reply;
    }
    // Byte range of the lanes in the big-endian port.
    const std::uint64_t base = access.address / port * port;
    const std::uint64_t begin = base + port - static_cast<std::uint64_t>(lanes->first + lanes->count);
    const std::uint64_t end = base + port - static_cast<std::uint64_t>(lanes->first);
    for (std::uint64_t word = begin / kWord * kWord; word < end; word += kWord) {
        reply.device = owner_of(word);
        if (!reply.device) {
            return {};
        }
        BusDevice& device = *devices_[*reply.device];
        const std::uint64_t first = std::max(begin, word);
        const std::uint64_t last = std::min(end, word + kWord);
        const auto select = static_cast<std::uint8_t>(((1U << (last - first)) - 1) << (word + kWord - last));
        // Shift from the port's lanes to the word's, which begins left or right of the port's end.
        const std::uint64_t port_end = base + port;
        const std::uint64_t word_end = word + kWord;
        const std::uint64_t left = port_end > word_end ? 8 * (port_end - word_end) : 0;
        const std::uint64_t right = word_end > port_end ? 8 * (word_end - port_end) : 0;
        const std::uint64_t offset = word - device.identity().first_address;
        const auto value = static_cast<std::uint32_t>(access.value >> left << right);
        const Reply part = access.is_write ? device.write(offset, value, select, access.now_ns)
                                           : device.read(offset, select, access.now_ns);
        if (!part.is_acknowledged) {
            return {.value = 0, .is_acknowledged = false, .device = reply.device};
        }
        ++(access.is_write ? use_[*reply.device].writes : use_[*reply.device].reads);
        std::uint32_t mask = 0;
        for (int lane = 0; lane < kWordBytes; ++lane) {
            mask |= (select >> lane & 1U) != 0 ? 0xffU << (8 * lane) : 0;
        }
        reply.value |= static_cast<std::uint64_t>(part.value & mask) >> right << left;
    }
    if (access.is_write) {
        reply.value = 0;
    }
    reply.is_acknowledged = true;
    return reply;
}

std::optional<std::size_t> Bus::owner_of(std::uint64_t address) const {
    const auto next = std::ranges::upper_bound(devices_, address, {},
                                               [](const auto& device) { return device->identity().first_address; });
    if (next == devices_.begin() || (*std::prev(next))->identity().last_address < address) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(std::prev(next) - devices_.begin());
}

}  // namespace nocbench::wishbone
