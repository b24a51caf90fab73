// Memories behind tiles, as seen by the network interfaces (NIUs) of the tiles: L1, a DRAM channel, host memory. A
// controller serves DRAM and host memory.
//
// Requests and data are stamped with their arrival at the controller, sorted, and served before the first block of
// cycles that can bring no earlier arrival. Results therefore do not depend on the order in which NIUs that share a
// controller are simulated. The latency of such a memory exceeds a block.
//
// Each NIU forwards read requests, and writes, with a minimum spacing of its own.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "device_model/sim/ledger.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/arch/constants.h"

namespace nocbench {

enum class MemoryKind : std::uint8_t {
    l1,    // of a Tensix tile
    dram,  // behind a DRAM tile
    host,  // behind the PCIe tile
};

inline constexpr int kNumMemoryKinds = 3;

/// Returns "L1", "DRAM" or "host memory".
std::string_view to_string(MemoryKind kind);

/// Service of requests by one kind of tile.
struct MemoryEndpoint {
    bool has_controller = false;
    Cause cause = Cause::link;  // cause for waits on the controller
    std::int64_t read_alignment_bytes = 1;
    std::int64_t write_alignment_bytes = 1;
    std::int64_t read_requests_per_virtual_channel_max = 0;  // accepted reads whose responses have not begun
    /// Gap between reads of one requestor beyond which no spacing applies.
    Tick same_responder_read_gap_ticks = std::numeric_limits<Tick>::max();

    // For memories with a controller; L1 takes written data at once.
    Tick read_request_interval_ticks = 0;   // minimum spacing of read requests that each NIU forwards
    Tick write_request_interval_ticks = 0;  // the same for writes, of any size
    Cycle read_latency_cycles = 0;          // from request to first data in the NIU, on top of L1 latency
    Cycle write_latency_cycles = 0;         // from last accepted flit to acknowledgement, on top of L1 latency
    std::int64_t write_buffer_flits =
        std::numeric_limits<std::int64_t>::max();  // written flits that the tile buffers ahead of the controller
    Cycle write_change_cycles = 0;                 // switching from a write on one virtual channel to one on another
    bool acknowledges_from_buffer = true;          // false: when the controller takes the data
    std::uint64_t burst_bytes = 1;                 // unit below which a write costs more
};

/// Returns the endpoint of a board. `board` must be complete.
MemoryEndpoint memory_endpoint(MemoryKind kind, const TorusArchitecture& architecture, const TorusBoard& board);

/// Bytes of a burst: a bit for each 64th of it.
using BurstPart = std::uint64_t;

inline constexpr BurstPart kWholeBursts = 0;  // of a write that covers all its bursts, and of flits before the last one
inline constexpr BurstPart kAllOfBurst = ~BurstPart{0};

/// Returns the part of a burst from byte `begin` to byte `end`.
constexpr BurstPart part_of_burst(std::uint64_t begin, std::uint64_t end, std::uint64_t burst_bytes) {
    constexpr std::uint64_t kBits = 64;
    const std::uint64_t first = begin * kBits / burst_bytes;
    const std::uint64_t behind = (end * kBits + burst_bytes - 1) / burst_bytes;
    return kAllOfBurst >> (kBits - (behind - first)) << first;
}

/// Time at which a controller returns the data of a read.
struct ReadService {
    Cycle expected_cycle = 0;  // first data from an idle controller
    Cycle first_data_cycle = 0;
    Tick ticks_per_flit = 0;
};

/// Time at which a written flit leaves the buffer of its tile.
struct WriteService {
    Cycle begin_cycle = 0;
    Cycle committed_cycle = 0;
};

}  // namespace nocbench
