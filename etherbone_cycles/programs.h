// Programs that measure a host's way to a timing receiver with the receiver's own clock, as the published measurement
// did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/wishbone/wishbone_host.h"

namespace nocbench::etherbone_cycles {

/// The calls by which a program gets its timestamps.
enum class Method : std::uint8_t {
    blocking,     // a cycle at a time, each waits for its answer
    pipelined,    // all cycles are queued and sent at once
    convenience,  // a blocking call for each word
};

struct TimestampsRequest {
    Method method = Method::blocking;
    std::uint32_t num_cycles = 1;
    std::uint32_t timestamps_per_cycle = 1;
    bool is_checked = true;  // the error status is read
};

/// Nanoseconds of the event unit: before everything, of all timestamps in the order in which they were asked for, and
/// after everything.
struct Timestamps {
    std::int64_t leading_ns = 0;
    std::vector<std::int64_t> acquired_ns;
    std::int64_t trailing_ns = 0;

    /// Says what is wrong with them, if time does not go on from one to the next; empty: nothing.
    [[nodiscard]] std::string fault() const;
};

/// Reads timestamps in a zone called `zone`, which begins after the leading one and ends with the trailing one.
Timestamps read_timestamps(WishboneHost& host, const TimestampsRequest& request, const std::string& zone);

/// The observations of a program that reads latched times.
struct LatchedTimes {
    std::vector<std::uint64_t> latched;  // in steps of 8 ns
    std::int64_t begin_ns = 0;           // by the unit's own clock, before its set-up and after the last cycle
    std::int64_t end_ns = 0;
    std::int64_t slept_ns = 0;
    std::string fault;  // what is wrong with what it has seen; empty: nothing
};

/// Sets the latch unit up, sleeps until a pulse has come, and then carries out blocking cycles of three reads (whether
/// there is a time, its two words) and a write that takes it out of the FIFO, in a zone called `zone`.
LatchedTimes read_latched_times(WishboneHost& host, std::uint32_t num_cycles, const std::string& zone);

}  // namespace nocbench::etherbone_cycles
