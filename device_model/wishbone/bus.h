// A Wishbone bus: devices by address, and the crossbar that finds the one that an access is for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "device_model/wishbone/devices/bus_device.h"

namespace nocbench::wishbone {

/// An operation of a bus master whose data port is 1, 2, 4 or 8 bytes wide.
struct BusAccess {
    bool is_write = false;
    std::uint64_t address = 0;  // the low bits, within the port, count for nothing: `select` decides
    std::uint8_t select = 0;    // lanes of the port
    int port_bytes = kWordBytes;
    std::uint64_t value = 0;  // of a write, in its lanes
    std::int64_t now_ns = 0;
};

struct BusReply {
    std::uint64_t value = 0;  // of a read, in its lanes; 0 after an error
    bool is_acknowledged = false;
    std::optional<std::size_t> device;  // that owns the address
};

/// Operations that a device has acknowledged.
struct DeviceUse {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
};

class Bus {
public:
    /// Addresses have 32 bits.
    static constexpr std::uint64_t kLastAddress = 0xffff'ffff;

    /// Adds a device. Throws InputError that names both if it overlaps another one, or says what is wrong with its
    /// range: it begins and ends on words, within the bus.
    void add(std::unique_ptr<BusDevice> device);

    [[nodiscard]] std::span<const std::unique_ptr<BusDevice>> devices() const { return devices_; }

    /// The use of each of them, in the same order.
    [[nodiscard]] std::span<const DeviceUse> use() const { return use_; }

    /// Carries out an operation. An invalid select and an address that no device owns are bus errors. An access that is
    /// wider than a word is two, the one to the lower address first.
    [[nodiscard]] BusReply access(const BusAccess& access);

private:
    [[nodiscard]] std::optional<std::size_t> owner_of(std::uint64_t address) const;

    std::vector<std::unique_ptr<BusDevice>> devices_;  // in the order of their addresses
    std::vector<DeviceUse> use_;
};

}  // namespace nocbench::wishbone
