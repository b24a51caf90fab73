#include "device_model/sim/ledger.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace nocbench {

namespace {

constexpr std::array<std::string_view, kNumCauses> kCauseNames = {
    "issue",      "link",      "ejection",        "acks", "reservation", "contention", "dram",   "memory",  "window",
    "round_trip", "semaphore", "circular_buffer", "host", "driver",      "bus",        "unpack", "compute", "pack"};

}  // namespace

std::string_view to_string(Cause cause) { return kCauseNames[static_cast<std::size_t>(cause)]; }

Tick Ledger::total() const { return std::accumulate(ticks_.begin(), ticks_.end(), Tick{0}); }

Ledger Ledger::since(const Ledger& before) const {
    Ledger booked;
    std::ranges::transform(ticks_, before.ticks_, booked.ticks_.begin(), std::minus{});
    return booked;
}

void Ledger::add(const Ledger& other) { std::ranges::transform(ticks_, other.ticks_, ticks_.begin(), std::plus{}); }

Ledger Ledger::without_waits_for_kernels() const {
    Ledger own = *this;
    for (const Cause cause : {Cause::semaphore, Cause::circular_buffer}) {
        own.ticks_[static_cast<std::size_t>(cause)] = 0;
    }
    return own;
}

Cause Ledger::limiter() const {
    const Tick round_trip = ticks(Cause::round_trip);
    const Tick for_others = ticks(Cause::semaphore) + ticks(Cause::circular_buffer);
    const Tick own = total() - for_others;
    if (for_others > own) {
        return ticks(Cause::semaphore) >= ticks(Cause::circular_buffer) ? Cause::semaphore : Cause::circular_buffer;
    }
    if (2 * round_trip > own) {
        return Cause::round_trip;
    }
    Cause longest = Cause::issue;
    Tick longest_ticks = 0;
    for (std::size_t index = 0; index < kNumCauses; ++index) {
        const Cause cause{static_cast<std::uint8_t>(index)};
        if (cause == Cause::issue || cause == Cause::round_trip || cause == Cause::semaphore ||
            cause == Cause::circular_buffer) {
            continue;
        }
        if (ticks_[index] > longest_ticks) {
            longest = cause;
            longest_ticks = ticks_[index];
        }
    }
    const bool busy = 4 * ticks(Cause::issue) >= 3 * (own - round_trip);
    return busy ? Cause::issue : longest;
}

}  // namespace nocbench
