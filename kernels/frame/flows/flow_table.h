// A table of flows: who moves data to whom, how much, and when. It is run by one kernel per RISC of each core, and
// gives the same results as a point of a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/grid.h"
#include "kernels/frame/primitive.h"
#include "kernels/tensix/rectangle.h"

namespace nocbench {

/// A stream of calls of one RISC, all of the same size; or a single other call.
struct Flow {
    enum class Kind : std::uint8_t {
        write,
        posted_write,
        read,
        inline_write,  // of a word that goes with the command
        increment,     // of a word of other cores
        read_barrier,
        write_barrier,
        flush,
        atomic_barrier,
        full_barrier,
        limit_reads,   // `operand` packets may be outstanding
        limit_writes,  // likewise
        set_read_state,
        set_write_state,
        wait,   // until the word of the own core has been incremented `operand` times
        store,  // to a word of the own core
        note,   // does nothing
    };
    /// What `start` counts from.
    enum class Origin : std::uint8_t {
        run,             // its beginning, or the end of the flows of `after`
        previous_begin,  // the start of the flow of this RISC before it
        previous_end,    // when its last call returned
    };
    enum class Partner : std::uint8_t {
        none,  // of calls that are to nobody
        core,
        rectangle,  // all cores of it, by multicast; the own core is left out
        bank,       // of DRAM; calls go from page to page
        all_banks,  // of DRAM, in turn, as pages of an interleaved tensor are
        dram_tile,  // a bank by a tile of its own
    };
    /// Instead of a number of calls between barriers: none, not even one at the end.
    static constexpr std::uint64_t kNoBarrier = UINT64_MAX;

    std::size_t group = 0;  // among FlowTable::groups
    LogicalCoordinate core;
    LogicalRectangle cores;  // of partners in L1; of one core, it is both corners
    std::uint32_t bank = 0;
    PhysicalCoordinate tile;
    int riscv = 0;
    int noc = 0;
    std::uint32_t call_bytes = 0;
    std::uint64_t num_calls = 1;
    std::uint64_t window = 0;            // the most calls that are outstanding; 0: any number
    std::uint64_t barrier_interval = 0;  // calls between barriers; 0: one barrier, at the end
    std::optional<std::size_t> after;    // starts when all flows of this group have ended
    Tick start = 0;                      // not before
    Tick call_interval = 0;              // time from call to call; 0: as fast as possible
    std::uint64_t operand = 0;
    std::optional<std::uint64_t> page;  // of DRAM, of its only call; none: where the flow before ended
    Kind kind = Kind::write;
    Partner partner = Partner::core;
    Origin origin = Origin::run;
    bool stateful = false;           // by calls of one packet that take the rest from set_read_state or set_write_state
    bool computes_addresses = true;  // false: that is part of the time before `start`
    std::optional<std::uint8_t> virtual_channel;  // none: that of the API for its kind

    /// Whether it moves data.
    [[nodiscard]] bool is_transfer() const { return kind <= Kind::inline_write; }
};

struct FlowTable {
    std::string name;
    std::vector<std::string> groups;  // names: result rows are about groups
    std::vector<Flow> flows;          // those of one RISC run in this order
    Cycle cycles_max = kDefaultCyclesMax;
};

/// A flow ends with the first barrier after its last call, another call when it returns.
struct FlowTimes {
    Tick begin = 0;
    Tick end = 0;
};

struct FlowTableResult {
    PointResult point;                            // a row per group and NoC: see run_flow_table()
    std::vector<std::uint64_t> num_transactions;  // of each row
    std::vector<FlowTimes> flows;
};

/// The bank that is usually reached by a DRAM tile, or else the first one of its channel; none if no bank in use is.
std::optional<std::uint32_t> bank_of_tile(const Architecture& architecture, const Grid& grid, PhysicalCoordinate tile);

/// Flows that start after others do so that much after the last one has ended. Nothing is sent for it.
inline constexpr Cycle kSignalCycles = 32;

/// Runs the table on a fresh device. A row has the time from the start of a group's first flow to the end of its last
/// one, and the bandwidth of all its RISCs together; a core's result is about the same of its own RISC. Every packet is
/// compared with what was sent. `settings` change fields of the architecture; see load_architecture. Throws InputError
/// for what does not exist or does not fit, or KernelError where flows wait for each other.
FlowTableResult run_flow_table(const FlowTable& table, const std::string& arch, const std::string& board_name,
                               const std::vector<Setting>& settings = {}, const MachineWatcher& watcher = {});

}  // namespace nocbench
