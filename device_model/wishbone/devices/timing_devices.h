// Devices of a timing receiver that know the time: the event unit, the latch unit, the pulse-per-second generator; and
// the network endpoint, which knows the receiver's own address. Programs that were written for the hardware find them
// by vendor and device, and read these registers.
//
// Time is TAI, in nanoseconds since 1970; the clock has been set when the FPGA starts.
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

/// The control registers of the event unit (event-condition-action unit, ECA): time, high word first. If the low word
/// has carried into the high one since that was read, the low word is read as its last value before, once, so that a
/// pair never comes from both sides of a carry. How the hardware does this is not documented.
class EventUnit final : public BusDevice {
public:
    using BusDevice::BusDevice;

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

private:
    std::optional<std::uint32_t> high_;  // as it was read, until the low word has been
};

/// The timestamp latch unit (TLU): channels whose inputs are timed in steps of 8 ns, each with a FIFO of what it has
/// latched. Every input has a pulse at each full second.
class LatchUnit final : public BusDevice {
public:
    static constexpr int kNumChannels = 8;
    static constexpr std::size_t kFifoEntries = 256;

    using BusDevice::BusDevice;

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    /// Taking an entry out of an empty FIFO is a bus error.
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;

private:
    struct Channel {
        bool is_armed = false;
        std::int64_t next_second = 0;
        std::deque<std::uint64_t> latched;  // in steps of 8 ns
    };

    /// Lets pulses come up to `now_ns`.
    void latch(std::int64_t now_ns);

    std::array<Channel, kNumChannels> channels_;
    std::uint32_t selected_ = 0;
    std::uint32_t held_low_ = 0;
};

/// The generator of a pulse per second (PPS): seconds and cycles of its counter.
class PulseGenerator final : public BusDevice {
public:
    using BusDevice::BusDevice;

    Reply read(std::uint64_t offset, std::uint8_t select, std::int64_t now_ns) override;
    Reply write(std::uint64_t offset, std::uint32_t value, std::uint8_t select, std::int64_t now_ns) override;
};

/// The network endpoint: its MAC address.
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
