// Devices that keep or give words: memories, a counter, a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/wishbone/devices/bus_device.h"

namespace nocbench::wishbone {

/// Bytes that are read and written.
class MemoryDevice final : public BusDevice {
public:
    /// `contents` fill it from its first address on; what they leave is zero. What does not fit is left out.
    MemoryDevice(DeviceIdentity identity, std::vector<std::byte> contents = {}, bool is_read_only = false);

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    /// A bus error if it is read-only.
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
    bool is_read_only_;
};

/// Each word that is read is the next number, at whatever address; one that is written is where it goes on from.
class CounterDevice final : public BusDevice {
public:
    using BusDevice::BusDevice;

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

private:
    std::uint32_t next_ = 0;
};

}  // namespace nocbench::wishbone
