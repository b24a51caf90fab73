#include "kernels/tensix/remote_circular_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/grid.h"

namespace nocbench {

namespace {

/// Words of a configuration. Source: tt-metal, GlobalCircularBuffer.
struct Configuration {
    std::uint32_t is_sender;
    std::uint32_t num_receivers;
    std::uint32_t begin;
    std::uint32_t bytes;
    std::uint32_t pointer;
    std::uint32_t places_address;  // coordinates x, y of each receiver, or of the sender
    std::uint32_t sent_address;    // for each receiver: counters of units sent and acknowledged
};

template <class Value>
Value read(const Device& device, LogicalCoordinate core, std::uint32_t address) {
    Value value;
    std::memcpy(&value, device.read_l1(core, address, sizeof(Value)).data(), sizeof(Value));
    return value;
}

void add_to(Device& device, LogicalCoordinate core, std::uint32_t address, std::uint32_t units) {
    const std::uint32_t sum = read<std::uint32_t>(device, core, address) + units;
    device.write_l1(core, address, std::as_bytes(std::span(&sum, 1)));
}

/// Returns the other core of a pair of ends.
LogicalCoordinate core_at(const Device& device, std::array<std::uint32_t, 2> place) {
    const TranslatedCoordinate translated{.x = static_cast<int>(place[0]), .y = static_cast<int>(place[1])};
    const std::optional<LogicalCoordinate> core = device.grid().logical(device.grid().physical(translated));
    if (!core.has_value()) {
        throw InputError(fmt::format("expected a core of the compute grid at ({}, {})", place[0], place[1]));
    }
    return *core;
}

}  // namespace

BufferInterface set_up_remote_circular_buffer(Device& device, LogicalCoordinate core,
                                              const RemoteCircularBuffer& buffer) {
    const auto its = read<Configuration>(device, core, buffer.config_address);
    const std::uint32_t end = its.begin + its.bytes;
    const std::uint32_t limit = end - its.bytes % buffer.page_bytes;
    const std::uint32_t next =
        its.begin + (its.pointer - its.begin + buffer.page_bytes - 1) / buffer.page_bytes * buffer.page_bytes;
    const bool begins_again = next >= limit;
    const std::uint32_t units = ((begins_again ? end : next) - its.pointer) / kRemoteUnitBytes;
    const auto place = [&](std::uint32_t number) {
        using Place = std::array<std::uint32_t, 2>;
        return read<Place>(device, core, its.places_address + number * static_cast<std::uint32_t>(sizeof(Place)));
    };
    BufferInterface words{buffer.config_address, its.begin, limit, buffer.page_bytes, begins_again ? its.begin : next};
    if (its.is_sender != 0) {
        words[5] = its.places_address;
        words[6] = its.sent_address;
        words[7] = its.num_receivers;
        for (std::uint32_t number = 0; units != 0 && number < its.num_receivers; ++number) {
            const std::uint32_t sent_address = its.sent_address + 2 * kRemoteUnitBytes * number;
            add_to(device, core, sent_address, units);
            add_to(device, core_at(device, place(number)), sent_address, units);
        }
        return words;
    }
    const std::uint32_t acknowledged_address = its.sent_address + kRemoteUnitBytes;
    std::ranges::copy(place(0), &words[5]);
    words[7] = acknowledged_address;
    if (units != 0) {
        const std::uint32_t sent = read<std::uint32_t>(device, core, its.sent_address) -
                                   read<std::uint32_t>(device, core, acknowledged_address);
        if (sent < units) {
            throw InputError(fmt::format(
                "remote circular buffer {} of core ({}, {}): pages of {} bytes begin {} bytes further on, of which its "
                "sender has sent {}: expected the sender in the same program, with pages of this size",
                buffer.id, core.x, core.y, buffer.page_bytes, units * kRemoteUnitBytes, sent * kRemoteUnitBytes));
        }
        add_to(device, core, acknowledged_address, units);
        add_to(device, core_at(device, place(0)), acknowledged_address, units);
    }
    return words;
}

BufferInterface interface_on(const BufferInterface& remote, std::uint32_t id, std::uint32_t page_bytes) {
    const std::uint32_t bytes = remote[2] - remote[1];
    if (bytes % page_bytes != 0) {
        throw InputError(
            fmt::format("circular buffer {}: expected whole pages in the {} bytes of the remote circular "
                        "buffer that it lies on, found pages of {} bytes",
                        id, bytes, page_bytes));
    }
    return {bytes, remote[2], page_bytes, bytes / page_bytes, remote[4], remote[4]};
}

}  // namespace nocbench
