// Constants of an Epiphany machine, as read from archs/*.yaml of kind `epiphany_mesh`. What each field means, its unit,
// its range and its key in the file are declared once, in fields.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct Architecture;
struct Board;

/// Largest data of a transaction on the mesh, and width of a link.
inline constexpr std::size_t kDwordBytes = 8;

/// The three planes of the mesh: on-chip writes and replies to reads (cMesh), off-chip writes (xMesh) and read requests
/// (rMesh). A transaction is an address and up to a dword of data; it occupies a link for so many cycles.
struct MeshConstants {
    Tick hop_ticks = 0;  // router to router; a multiple of half a cycle
    std::int64_t on_chip_write_cycles = 0;
    std::int64_t off_chip_write_cycles = 0;
    std::int64_t read_request_cycles = 0;
    Tick buffer_ticks = 0;                 // room at each input port of a router, in time of its link
    Tick credit_return_ticks = 0;          // from data leaving a buffer to the router before knowing of it
    Tick injection_ticks = 0;              // core to router
    Tick ejection_ticks = 0;               // router to core
    std::int64_t reads_follow_writes = 1;  // 1: a read waits for earlier writes of its core to the same place; 0: not
};

/// A core and its local memory.
struct EpiphanyCoreConstants {
    std::int64_t memory_bytes = 0;
    std::int64_t memory_banks = 0;
    Tick instruction_ticks = 0;     // one integer instruction
    Tick load_ticks = 0;            // issue of a load
    Tick local_load_use_ticks = 0;  // from the issue of a local load to its first use, beyond load_ticks
    Tick store_ticks = 0;           // issue of a store
    Tick taken_branch_ticks = 0;    // beyond the branch instruction itself
    Tick float_ticks = 0;           // from the issue of a floating-point instruction to the use of its result
    Tick float_user_ticks = 0;      // so much earlier than others such an instruction needs its operands
    Tick divide_ticks = 0;          // an integer division, where a program has no routine of its own for it
    Tick float_divide_ticks = 0;    // a floating-point division or square root, likewise
    Tick remote_read_ticks = 0;     // at the target of a read: request taken in to reply sent
    Tick read_recovery_ticks = 0;   // at the target of a read: before the next request is taken in
    Tick testset_ticks = 0;         // of a TESTSET at its target, beyond a read
    Tick interrupt_ticks = 0;       // from its request to the first instruction of the handler
    Tick wired_and_ticks = 0;       // from the last core's WAND to the interrupt at all of them
    Tick barrier_step_ticks = 0;    // of the vendor's barrier: a turn of its loops, beyond its load or store
    Tick barrier_round_ticks = 0;   // of a dissemination barrier: a round, beyond its store and its wait
    Tick warm_call_ticks = 0;       // a call to a routine between two reads of the timer, its code in use before
    Tick cold_call_ticks = 0;       // the same after the core was idle
};

/// The DMA engine of a core.
struct DmaConstants {
    std::int64_t channels = 0;
    Tick setup_ticks = 0;                   // software: fill a descriptor, start the channel, until data begin to move
    Tick setup_tail_ticks = 0;              // software: from there to the first look at the channel's status
    Tick poll_ticks = 0;                    // of one look at the status beyond the load itself
    Tick write_interval_ticks = 0;          // least spacing of the writes of an engine
    Tick erratum_write_interval_ticks = 0;  // the same on silicon with the throttling erratum
    std::int64_t has_throttling_erratum = 0;  // 1: the second of these counts
    std::int64_t outstanding_reads_max = 0;
};

/// The off-chip link and the FPGA behind it. Its times are in periods of the FPGA's own clock, since they do not change
/// with the clock of the cores.
struct ElinkConstants {
    std::int64_t clock_hz = 0;
    Tick single_write_ticks = 0;                     // service of a write of a core
    Tick dma_single_write_ticks = 0;                 // of a write of a DMA engine
    Tick burst_write_ticks = 0;                      // of a write that continues a burst
    Tick dma_burst_write_ticks = 0;                  // of one of a DMA engine that does
    Tick read_ticks = 0;                             // service of a read of a core
    Tick dma_read_ticks = 0;                         // of a read of a DMA engine
    Tick read_latency_ticks = 0;                     // request at the link to its data at the link
    Tick same_engine_read_interval_ticks = 0;        // least spacing of the data that one DMA engine reads
    std::int64_t write_buffer_transactions = 0;      // single writes that wait before the link pushes back
    std::int64_t burst_buffer_transactions = 0;      // the same of writes of a burst
    std::int64_t dma_burst_buffer_transactions = 0;  // of those of a DMA engine, which are not interrupted
    Tick burst_restart_ticks = 0;                    // a burst that was pushed back begins again after so long
    std::int64_t read_buffer_transactions = 0;       // read requests that wait before the link pushes back
    std::int64_t external_memory_bytes = 0;
};

/// The host, which reaches external memory and cores through an uncached window. Per access of host_access_bytes.
struct HostConstants {
    std::int64_t access_bytes = 0;
    std::int64_t external_read_picoseconds = 0;
    std::int64_t external_write_picoseconds = 0;
    std::int64_t core_read_picoseconds = 0;
    std::int64_t core_write_picoseconds = 0;
};

struct EpiphanyConstants {
    MeshConstants mesh;
    EpiphanyCoreConstants core;
    DmaConstants dma;
    ElinkConstants elink;
    HostConstants host;
};

/// Cores of a board. Their ids have 6 bits for the row and 6 bits for the column.
struct EpiphanyBoard {
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    std::int64_t first_core_row = 0;
    std::int64_t first_core_column = 0;
};

/// The constants of an architecture of this kind. Throws InputError for one of another kind.
const EpiphanyConstants& epiphany_of(const Architecture& architecture);
EpiphanyConstants& epiphany_of(Architecture& architecture);
const EpiphanyBoard& epiphany_of(const Board& board);
EpiphanyBoard& epiphany_of(Board& board);

}  // namespace nocbench
