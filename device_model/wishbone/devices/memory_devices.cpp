#include "device_model/wishbone/devices/memory_devices.h"

#include <utility>

namespace nocbench::wishbone {

MemoryDevice::MemoryDevice(DeviceIdentity identity, std::vector<std::byte> contents, bool is_read_only)
    : BusDevice(std::move(identity)), bytes_(std::move(contents)), is_read_only_(is_read_only) {
    bytes_.resize(this->identity().last_address - this->identity().first_address + 1);
}

Reply MemoryDevice::read(std::uint64_t offset, std::uint8_t /*select*/, std::int64_t /*now_ns*/) {
    std::uint32_t value = 0;
    for (std::uint64_t index = 0; index < kWordBytes; ++index) {
        value = value << 8 | std::to_integer<std::uint32_t>(bytes_[offset + index]);
    }
    return {.value = value};
}

Reply MemoryDevice::write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t /*now_ns*/) {
    if (is_read_only_) {
        return {.is_acknowledged = false};
    }
    for (std::uint64_t lane = 0; lane < kWordBytes; ++lane) {
        if ((select >> lane & 1U) != 0) {
            bytes_[offset + kWordBytes - 1 - lane] = static_cast<std::byte>(value >> (8 * lane));
        }
    }
    return {};
}

Reply CounterDevice::read(std::uint64_t /*offset*/, std::uint8_t /*select*/, std::int64_t /*now_ns*/) {
    return {.value = next_++};
}

Reply CounterDevice::write(std::uint64_t /*offset*/, std::uint32_t value, std::uint8_t /*select*/,
                           std::int64_t /*now_ns*/) {
    next_ = value;
    return {};
}

}  // namespace nocbench::wishbone
