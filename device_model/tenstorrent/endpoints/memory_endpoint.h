// The memories behind tiles, as the network interfaces (NIUs) of these tiles see them: L1, a channel of DRAM, the
// memory of the host. What lies beyond L1 is served by a controller, which books each request when its turn comes.
//
// Requests and data reach a controller with the cycle at which they came; they are put in order and served before the
// first block of cycles in which nothing can come that arrives earlier, so that interfaces that share a controller do
// not depend on the order in which they are simulated. The latency of a memory behind a controller is longer than a
// block.
//
// Each interface passes on one read request after the other, with a least spacing. This spacing is the tile's own.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "device_model/arch/architecture.h"
#include "device_model/sim/ledger.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

enum class MemoryKind : std::uint8_t {
    l1,    // of a Tensix tile
    dram,  // behind a DRAM tile
    host,  // behind the PCIe tile
};

inline constexpr int kNumMemoryKinds = 3;

/// "L1", "DRAM", "host memory".
std::string_view to_string(MemoryKind kind);

/// How the tiles of a kind take requests to their memory.
struct MemoryEndpoint {
    bool has_controller = false;
    Cause cause = Cause::link;  // what a wait for the controller is booked to
    std::int64_t read_alignment_bytes = 1;
    std::int64_t write_alignment_bytes = 1;
    std::int64_t read_requests_per_virtual_channel_max = 0;  // taken in, before their responses have begun
    /// Reads of one requestor that come so long after each other are not spaced out.
    Tick same_responder_read_gap_ticks = std::numeric_limits<Tick>::max();

    // Of a memory with a controller; L1 takes written data as they come.
    Tick read_request_interval_ticks = 0;  // least spacing of the read requests that each of its NIUs passes on
    Cycle read_latency_cycles = 0;         // request in the NIU to first data in the NIU, beyond what L1 takes
    Cycle write_latency_cycles = 0;        // last flit accepted to acknowledgement, beyond what L1 takes
    std::int64_t write_buffer_flits =
        std::numeric_limits<std::int64_t>::max();  // written data that the tile takes ahead of the controller
    Cycle write_change_cycles = 0;                 // from a write on one virtual channel to one on another
    bool acknowledges_from_buffer = true;          // or when the controller takes the data
    std::uint64_t burst_bytes = 1;                 // a write of part of a burst costs more
};

/// Of a board: `board` must be complete.
MemoryEndpoint memory_endpoint(MemoryKind kind, const Architecture& architecture, const Board& board);

/// When a controller returns the data of a read.
struct ReadService {
    Cycle expected_cycle = 0;  // first data, had the controller been idle
    Cycle first_data_cycle = 0;
    Tick ticks_per_flit = 0;
};

/// When a flit of written data leaves the buffer of its tile.
struct WriteService {
    Cycle begin_cycle = 0;
    Cycle committed_cycle = 0;
};

}  // namespace nocbench
