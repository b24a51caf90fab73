// Wishbone bus: devices by address, and the crossbar that selects one for each access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "device_model/wishbone/devices/bus_device.h"

namespace nocbench::wishbone {

/// An operation of a bus master with a data port of 1, 2, 4 or 8 bytes.
struct BusAccess {
    bool is_write = false;
    std::uint64_t address = 0;  // low bits, within the port, are ignored: `select` decides
    std::uint8_t select = 0;    // lanes of the port
    int port_bytes = kWordBytes;
    std::uint64_t value = 0;  // of a write, in its lanes
    std::int64_t now_ns = 0;
};

struct BusReply {
    std::uint64_t value = 0;  // of a read, in its lanes; 0 after an error
    bool is_acknowledged = false;
    std::optional<std::size_t> device;  // owner of the address
};

/// Operations that a device has acknowledged.
struct DeviceUse {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
};

class Bus {
public:
    /// Highest 32-bit address.
    static constexpr std::uint64_t kLastAddress = 0xffff'ffff;

    /// Adds a device. Throws InputError if its range overlaps that of another device, naming both, or is not whole
    /// words within the bus.
    void add(std::unique_ptr<BusDevice> device);

    [[nodiscard]] std::span<const std::unique_ptr<BusDevice>> devices() const { return devices_; }

    /// Returns the use of each device, in the order of devices().
    [[nodiscard]] std::span<const DeviceUse> use() const { return use_; }

    /// Executes an operation. Invalid selects and unowned addresses are bus errors. An access wider than a word is
    /// split into two, lower address first.
    [[nodiscard]] BusReply access(const BusAccess& access);

private:
    [[nodiscard]] std::optional<std::size_t> owner_of(std::uint64_t address) const;

    std::vector<std::unique_ptr<BusDevice>> devices_;  // by address
    std::vector<DeviceUse> use_;
};

}  // namespace nocbench::wishbone
