// Devices on a Wishbone bus (slaves, in its terms): memories, clocks, registers. Accesses are words of four bytes with
// byte lanes enabled by `select`. Lane 0 is the least significant byte, at the highest address: the bus is big-endian.
#pragma once

#include <cstdint>
#include <string>

#include "device_model/sim/simulated_time.h"

namespace nocbench::wishbone {

inline constexpr int kWordBytes = 4;
inline constexpr std::uint8_t kAllLanes = 0xf;

/// A device's reply to an access.
struct Reply {
    std::uint32_t value = 0;      // of a read
    bool is_acknowledged = true;  // false: a bus error
};

/// Entry of the device table (self_describing_bus.h), and the device's speed.
struct DeviceIdentity {
    std::string name;  // 19 characters at most
    std::uint64_t first_address = 0;
    std::uint64_t last_address = 0;  // inclusive
    std::uint64_t vendor = 0;
    std::uint32_t device = 0;
    std::uint32_t version = 1;
    std::uint32_t date = 0x20180206;  // year, month and day in hexadecimal digits
    std::uint8_t interface_major = 1;
    std::uint8_t interface_minor = 0;
    std::uint8_t access_widths = 0x4;  // in bytes, ORed: 1, 2, 4, 8
    bool is_listed = true;             // false for the table itself
    Cycle acknowledge_cycles = 1;      // in bus clocks, from access to acknowledgement
};

class BusDevice {
public:
    explicit BusDevice(DeviceIdentity identity) : identity_(std::move(identity)) {}
    virtual ~BusDevice() = default;
    BusDevice(const BusDevice&) = delete;
    BusDevice& operator=(const BusDevice&) = delete;

    [[nodiscard]] const DeviceIdentity& identity() const { return identity_; }

    /// Reads the word at `offset`, a multiple of four, from the device's first address. `now_ns` is the time since the
    /// FPGA started.
    virtual Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) = 0;
    virtual Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) = 0;

private:
    DeviceIdentity identity_;
};

}  // namespace nocbench::wishbone
