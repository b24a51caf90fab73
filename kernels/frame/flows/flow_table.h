// Table of flows: data transfers with sources, targets, sizes and times. Run by one kernel per RISC of each core.
// Results have the form of those of a test's point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/grid.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/located_findings.h"
#include "kernels/tensix/rectangle.h"

namespace nocbench {

/// Series of calls of one RISC with one size, or a single other operation.
struct Flow {
    enum class Kind : std::uint8_t {
        write,
        posted_write,
        read,
        inline_write,  // of a word that is sent with the command
        increment,     // of a word on other cores
        read_barrier,
        write_barrier,
        flush,
        atomic_barrier,
        full_barrier,
        limit_reads,   // at most `operand` packets outstanding
        limit_writes,  // at most `operand` packets outstanding
        set_read_state,
        set_write_state,
        wait,   // until the core's own word has been incremented `operand` times
        store,  // to a word of the same core
        note,   // does nothing
    };
    /// Reference time of `start`.
    enum class Origin : std::uint8_t {
        run,             // start of the run, or end of the flows of `after`
        previous_begin,  // start of this RISC's previous flow
        previous_end,    // return of its last call
    };
    enum class Partner : std::uint8_t {
        none,  // without target
        core,
        rectangle,  // all of its cores except the sender, by multicast
        bank,       // DRAM bank; calls go from page to page
        all_banks,  // all DRAM banks, round-robin, as for pages of an interleaved tensor
        dram_tile,  // DRAM bank through one of its tiles
    };
    /// Value of `barrier_interval` for no barrier, not even at the end.
    static constexpr std::uint64_t kNoBarrier = UINT64_MAX;

    std::size_t group = 0;  // index in FlowTable::groups
    LogicalCoordinate core;
    LogicalRectangle cores;  // partners in L1; both corners are equal for one core
    std::uint32_t bank = 0;
    PhysicalCoordinate tile;
    int riscv = 0;
    int noc = 0;
    std::uint32_t call_bytes = 0;
    std::uint64_t num_calls = 1;
    std::uint64_t window = 0;            // maximum of outstanding calls; 0: unlimited
    std::uint64_t barrier_interval = 0;  // calls between barriers; 0: one barrier, at the end
    std::optional<std::size_t> after;    // group whose flows must all have ended before
    Tick start = 0;                      // earliest start
    Tick call_interval = 0;              // time between calls; 0: as fast as possible
    std::uint64_t operand = 0;
    std::optional<std::uint64_t> page;  // page of DRAM of a single call; none: continues after the previous flow
    Kind kind = Kind::write;
    Partner partner = Partner::core;
    Origin origin = Origin::run;
    bool stateful = false;                        // one-packet calls after set_read_state or set_write_state
    bool computes_addresses = true;               // false: address computation is part of the time before `start`
    std::optional<std::uint8_t> virtual_channel;  // none: the API's default for its kind

    [[nodiscard]] bool is_transfer() const { return kind <= Kind::inline_write; }
};

struct FlowTable {
    std::string name;
    std::vector<std::string> groups;  // names of groups, the subjects of result rows
    std::vector<Flow> flows;          // in order for each RISC
    Cycle cycles_max = kDefaultCyclesMax;
    std::set<Check> checks;  // only of channels: flows have addresses of the model's own, and no values
};

/// Times of a flow or other operation. A flow ends with the first barrier after its last call; other operations end
/// when they return.
struct FlowTimes {
    Tick begin = 0;
    Tick end = 0;
};

struct FlowTableResult {
    PointResult point;                            // a row per group and NoC: see run_flow_table()
    std::vector<std::uint64_t> num_transactions;  // of each row
    std::vector<FlowTimes> flows;
    std::vector<LocatedFinding> findings;  // their program counters are those of program_counter_of()
};

/// Returns the number that stands for a flow in findings. It is not 0, which stands for kernels without a program.
inline std::uint32_t program_counter_of(std::size_t flow) { return static_cast<std::uint32_t>(flow) + 1; }

/// Returns the bank usually reached by a DRAM tile, otherwise the first bank of its channel; none if no bank is in use.
std::optional<std::uint32_t> bank_of_tile(const TorusArchitecture& architecture, const Grid& grid,
                                          PhysicalCoordinate tile);

/// Delay of flows that start after other flows, from the end of the last of these. Signals are not simulated.
inline constexpr Cycle kSignalCycles = 32;

/// Runs the table on a fresh device. A row has the time from the start of a group's first flow to the end of its last,
/// and the bandwidth of all its RISCs together; the result of a core has these values for its own RISC. Every packet is
/// compared with the sent data. `settings` change fields of the architecture; see load_architecture(). Throws
/// InputError for invalid tables, and KernelError if flows wait for each other.
FlowTableResult run_flow_table(const FlowTable& table, const std::string& arch, const std::string& board_name,
                               const std::vector<Setting>& settings = {}, const MachineWatcher& watcher = {});

}  // namespace nocbench
