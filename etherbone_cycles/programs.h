// Programs that measure the path from a host to a timing receiver by the receiver's clock, as in the published
// measurement.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/wishbone/wishbone_host.h"

namespace nocbench::etherbone_cycles {

/// Calls by which a program reads timestamps.
enum class Method : std::uint8_t {
    blocking,     // one cycle at a time, waiting for each answer
    pipelined,    // all cycles are queued and sent at once
    convenience,  // a blocking call for each word
};

struct TimestampsRequest {
    Method method = Method::blocking;
    std::uint32_t num_cycles = 1;
    std::uint32_t timestamps_per_cycle = 1;
    bool is_checked = true;  // each call reads the error status
};

/// Times of the event unit, in nanoseconds: before the measurement, at each requested timestamp in order, and after the
/// measurement.
struct Timestamps {
    std::int64_t leading_ns = 0;
    std::vector<std::int64_t> acquired_ns;
    std::int64_t trailing_ns = 0;

    /// Returns a fault if the timestamps do not increase; otherwise an empty string.
    [[nodiscard]] std::string fault() const;
};

/// Reads timestamps, from the leading to the trailing one, in a zone named `zone`.
Timestamps read_timestamps(WishboneHost& host, const TimestampsRequest& request, const std::string& zone);

/// Results of a program that reads latched times.
struct LatchedTimes {
    std::vector<std::uint64_t> latched;  // in steps of 8 ns
    std::int64_t begin_ns = 0;           // by the unit's clock, before set-up and after the last cycle
    std::int64_t end_ns = 0;
    std::int64_t slept_ns = 0;
    std::string fault;  // first fault; empty if none
};

/// Sets up the latch unit, sleeps until a pulse has come, and then executes blocking cycles in a zone named `zone`.
/// Each cycle has three reads (availability of a time, its two words) and a write that pops the FIFO.
LatchedTimes read_latched_times(WishboneHost& host, std::uint32_t num_cycles, const std::string& zone);

}  // namespace nocbench::etherbone_cycles
