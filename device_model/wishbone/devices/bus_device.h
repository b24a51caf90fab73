// What answers on a Wishbone bus, called a slave there: memories, clocks, registers. Accesses are words of four bytes,
// of which `select` says which lanes take part; lane 0 is the least significant byte and stands at the highest address,
// since the bus is big-endian.
#pragma once

#include <cstdint>
#include <string>

#include "device_model/sim/simulated_time.h"

namespace nocbench::wishbone {

inline constexpr int kWordBytes = 4;
inline constexpr std::uint8_t kAllLanes = 0xf;

/// What a device says in reply to an access.
struct Reply {
    std::uint32_t value = 0;      // of a read
    bool is_acknowledged = true;  // false: a bus error
};

/// What the table of devices says about one (self_describing_bus.h), and how fast it is.
struct DeviceIdentity {
    std::string name;  // 19 characters at most
    std::uint64_t first_address = 0;
    std::uint64_t last_address = 0;  // inclusive
    std::uint64_t vendor = 0;
    std::uint32_t device = 0;
    std::uint32_t version = 1;
    std::uint32_t date = 0x20180206;  // hexadecimal digits of year, month and day
    std::uint8_t interface_major = 1;
    std::uint8_t interface_minor = 0;
    std::uint8_t access_widths = 0x4;  // in bytes, ORed: 1, 2, 4, 8
    bool is_listed = true;             // the table itself is not
    Cycle acknowledge_cycles = 1;      // of the bus's clock, from the access to its acknowledgement
};

class BusDevice {
public:
    explicit BusDevice(DeviceIdentity identity) : identity_(std::move(identity)) {}
    virtual ~BusDevice() = default;
    BusDevice(const BusDevice&) = delete;
    BusDevice& operator=(const BusDevice&) = delete;

    [[nodiscard]] const DeviceIdentity& identity() const { return identity_; }

    /// Reads the word at `offset`, a multiple of four, from the device's first address. `now_ns`: nanoseconds since the
    /// FPGA has started.
    virtual Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) = 0;
    virtual Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) = 0;

private:
    DeviceIdentity identity_;
};

}  // namespace nocbench::wishbone
