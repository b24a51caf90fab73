// Devices that store or produce words: memories, a counter, a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/wishbone/devices/bus_device.h"

namespace nocbench::wishbone {

class MemoryDevice final : public BusDevice {
public:
    /// Fills the memory with `contents` from its first address, then zeros. Excess contents are dropped.
    MemoryDevice(DeviceIdentity identity, std::vector<std::byte> contents = {}, bool is_read_only = false);

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    /// Fails with a bus error if the memory is read-only.
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
    bool is_read_only_;
};

/// Counter: every read, at any address, returns the next number; a write sets the counter.
class CounterDevice final : public BusDevice {
public:
    using BusDevice::BusDevice;

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

private:
    std::uint32_t next_ = 0;
};

}  // namespace nocbench::wishbone
