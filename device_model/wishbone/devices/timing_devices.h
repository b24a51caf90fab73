// Time-aware devices of a timing receiver: the event unit, the latch unit and the pulse-per-second generator, and the
// network endpoint with the receiver's address. Programs for the hardware find them by vendor and device, and read
// these registers.
//
// Time is TAI in nanoseconds since 1970; the clock is set when the FPGA starts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "device_model/wishbone/devices/bus_device.h"

namespace nocbench::wishbone {

/// 2018-02-06 00:00:00 UTC, with the 37 leap seconds of that year.
inline constexpr std::int64_t kStartSeconds = 1'517'875'237;
inline constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

/// Control registers of the event unit (event-condition-action unit, ECA): time, high word first. If the low word has
/// wrapped since the high word was read, the next read of the low word returns its last value before the wrap, so that
/// the pair is consistent. The hardware's method is not documented.
class EventUnit final : public BusDevice {
public:
    using BusDevice::BusDevice;

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

private:
    std::optional<std::uint32_t> high_;  // last value read, until the low word is read
};

/// Timestamp latch unit (TLU): channels that timestamp their inputs in steps of 8 ns, each with a FIFO. Every input has
/// a pulse at each full second.
class LatchUnit final : public BusDevice {
public:
    static constexpr int kNumChannels = 8;
    static constexpr std::size_t kFifoEntries = 256;

    using BusDevice::BusDevice;

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    /// Fails with a bus error when it pops an empty FIFO.
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

private:
    struct Channel {
        bool is_armed = false;
        std::int64_t next_second = 0;
        std::deque<std::uint64_t> latched;  // in steps of 8 ns
    };

    /// Adds the pulses until `now_ns`.
    void latch(std::int64_t now_ns);

    std::array<Channel, kNumChannels> channels_;
    std::uint32_t selected_ = 0;
    std::uint32_t held_low_ = 0;
};

/// Pulse-per-second (PPS) generator: seconds and cycles of its counter.
class PulseGenerator final : public BusDevice {
public:
    using BusDevice::BusDevice;

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;
};

/// Network endpoint: its MAC address.
class Endpoint final : public BusDevice {
public:
    Endpoint(DeviceIdentity identity, std::uint64_t mac_address)
        : BusDevice(std::move(identity)), mac_address_(mac_address) {}

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

private:
    std::uint64_t mac_address_;
};

}  // namespace nocbench::wishbone
