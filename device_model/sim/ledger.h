// Ledger of a kernel's cycles: every tick is booked to one cause.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

enum class Cause : std::uint8_t {
    issue,            // the RISC computes, calls, writes registers; or the NIU spaces its requests
    link,             // flits fill the link at the rate at which their source reads L1
    ejection,         // the receiving tile is slower than the link
    acks,             // acknowledgements fill a link or the source's port
    reservation,      // a multicast waits for the reservation of its tree
    contention,       // other packets hold virtual channels or share links
    dram,             // the DRAM channel or its controller
    memory,           // external memory
    window,           // the NIU's limit of outstanding reads
    round_trip,       // request and response in flight, unobstructed
    semaphore,        // another kernel has not signalled yet
    circular_buffer,  // the other RISC of the tile has not pushed or popped yet
    host,
    driver,   // a host's driver, network stack, controllers
    bus,      // a bus behind a bridge: crossbar and devices
    unpack,   // the unpackers of the tile, or the thread that gives them commands
    compute,  // its matrix and vector unit, or their thread
    pack,     // its packers, or their thread
};

inline constexpr std::size_t kNumCauses = 18;

std::string_view to_string(Cause cause);

/// Ticks by cause.
class Ledger {
public:
    void book(Cause cause, Tick ticks) { ticks_[static_cast<std::size_t>(cause)] += ticks; }

    [[nodiscard]] Tick ticks(Cause cause) const { return ticks_[static_cast<std::size_t>(cause)]; }

    [[nodiscard]] Tick total() const;

    /// Returns the ticks booked since the state `before`.
    [[nodiscard]] Ledger since(const Ledger& before) const;
    void add(const Ledger& other);

    /// Returns the ticks that were no waits for other kernels, by semaphores or circular buffers.
    [[nodiscard]] Ledger without_waits_for_kernels() const;

    /// Returns the main bottleneck:
    /// - `semaphore` or `circular_buffer`, the longer one, if both together took more than half of the time: another
    ///   kernel is slower, and its own ledger tells the reason. Otherwise the other rules ignore both;
    /// - `round_trip` if it took more than half of the time;
    /// - `issue` if it took at least three quarters of the rest;
    /// - otherwise the largest other cause.
    [[nodiscard]] Cause limiter() const;

private:
    std::array<Tick, kNumCauses> ticks_{};
};

/// Profiler zone of a RISC, for the booking of a wait.
struct ZoneReference {
    std::uint32_t risc = 0;
    std::int32_t zone = -1;  // index of the innermost open zone; -1: none
};

/// A wait whose cause is known only when the obstructing transaction has finished.
struct DeferredWait {
    ZoneReference zone;
    Tick begin = 0;
    Tick ticks = 0;
};

}  // namespace nocbench
