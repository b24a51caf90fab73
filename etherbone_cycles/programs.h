// Programs that measure the path from a host to a timing receiver with the receiver's clock, as in the published
// measurement.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/wishbone/wishbone_host.h"

namespace nocbench::etherbone_cycles {

/// Calls by which a program reads its timestamps.
enum class Method : std::uint8_t {
    blocking,     // one cycle at a time, waiting for each answer
    pipelined,    // all cycles are queued and sent at once
    convenience,  // a blocking call for each word
};

struct TimestampsRequest {
    Method method = Method::blocking;
    std::uint32_t num_cycles = 1;
    std::uint32_t timestamps_per_cycle = 1;
    bool is_checked = true;  // reads the error status
};

/// Nanoseconds of the event unit: before the measurement, of all timestamps in the order of requests, and after it.
struct Timestamps {
    std::int64_t leading_ns = 0;
    std::vector<std::int64_t> acquired_ns;
    std::int64_t trailing_ns = 0;

    /// Returns the fault of timestamps that do not increase; empty if there is none.
    [[nodiscard]] std::string fault() const;
};

/// Reads timestamps in a zone called `zone`, from the leading to the trailing one.
Timestamps read_timestamps(WishboneHost& host, const TimestampsRequest& request, const std::string& zone);

/// Results of a program that reads latched times.
struct LatchedTimes {
    std::vector<std::uint64_t> latched;  // in steps of 8 ns
    std::int64_t begin_ns = 0;           // by the unit's clock, before its set-up and after the last cycle
    std::int64_t end_ns = 0;
    std::int64_t slept_ns = 0;
    std::string fault;  // first fault; empty if none
};

/// Sets up the latch unit, sleeps until a pulse has come, and then executes blocking cycles in a zone called `zone`:
/// three reads (whether there is a time, its two words) and a write that pops the FIFO.
LatchedTimes read_latched_times(WishboneHost& host, std::uint32_t num_cycles, const std::string& zone);

}  // namespace nocbench::etherbone_cycles
