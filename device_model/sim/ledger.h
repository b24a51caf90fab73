// Where the cycles of a kernel went: every tick is booked to one cause.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

enum class Cause : std::uint8_t {
    issue,            // the RISC computes, calls, writes registers; or the NIU spaces its requests
    link,             // a stream of flits fills the link, at the rate at which its source reads L1
    ejection,         // the receiving tile takes data slower than the link brings it
    acks,             // acknowledgements fill a link or the port of the source
    reservation,      // a multicast waits for its tree of routers
    contention,       // packets of others hold the virtual channels or take turns on the links
    dram,             // the DRAM channel or its controller
    memory,           // external memory
    window,           // the NIU's limit of outstanding reads
    round_trip,       // request and response on their way, with nothing else to wait for
    semaphore,        // another kernel has not signalled yet
    circular_buffer,  // the other RISC of the tile has not pushed or popped yet
    host,             // the host
    driver,           // a driver of the host, its network stack, its controllers
    bus,              // a bus behind a bridge: the crossbar and the devices on it
};

inline constexpr std::size_t kNumCauses = 15;

std::string_view to_string(Cause cause);

/// Ticks by cause.
class Ledger {
public:
    void book(Cause cause, Tick ticks) { ticks_[static_cast<std::size_t>(cause)] += ticks; }

    [[nodiscard]] Tick ticks(Cause cause) const { return ticks_[static_cast<std::size_t>(cause)]; }

    [[nodiscard]] Tick total() const;

    /// The ticks that were booked since it was as `before`.
    [[nodiscard]] Ledger since(const Ledger& before) const;
    void add(const Ledger& other);

    /// What a faster machine would have to improve first:
    /// - `semaphore` or `circular_buffer`, the longer one, if more than half of the time went into these two: another
    ///   kernel is slower, and its own ledger says why. If less did, they are left out of the rest.
    /// - `round_trip` if more than half of the time went into it;
    /// - `issue` if the RISC was kept busy for at least three quarters of the rest;
    /// - else the cause, other than these, that most time was waited for.
    [[nodiscard]] Cause limiter() const;

private:
    std::array<Tick, kNumCauses> ticks_{};
};

/// Where deferred or immediate waits are booked: a profiler zone of a RISC.
struct ZoneReference {
    std::uint32_t risc = 0;
    std::int32_t zone = -1;  // index of the innermost open zone; -1: none is open
};

/// A wait whose cause is known only when the transaction that was in the way has finished.
struct DeferredWait {
    ZoneReference zone;
    Tick begin = 0;
    Tick ticks = 0;
};

}  // namespace nocbench
