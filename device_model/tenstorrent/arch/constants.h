// Constants of a chip of Tensix tiles, as read from archs/*.yaml of kind `tensix_torus`. fields.cpp declares the
// meaning of each, its unit, its range and its key in the file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model/arch/fields/field_types.h"
#include "device_model/arch/setting.h"
#include "device_model/riscv/constants.h"
#include "device_model/sim/coordinate.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct Architecture;
struct Board;

/// Most data-movement RISCs of a tile: riscv_0, riscv_1 and so on.
inline constexpr int kRiscsMax = 8;
/// RISCs of a tile whose threads give commands to its units: unpack, math, pack.
inline constexpr int kComputeRiscs = 3;

/// The physical grid of tiles. Places that no list names hold a router only.
struct GridConstants {
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    std::vector<std::int64_t> tensix_columns;      // physical x, in order of logical x
    std::vector<std::int64_t> tensix_rows;         // physical y, in order of logical y
    std::vector<std::int64_t> translated_columns;  // translated x of live columns in order, then of harvested ones
    std::vector<std::int64_t> translated_rows;     // translated y of live rows in order, then of harvested ones
    std::vector<PhysicalCoordinate> ethernet_tiles;
    std::vector<PhysicalCoordinate> pcie_tiles;
    std::vector<PhysicalCoordinate> arc_tiles;
};

enum class NocTopology : std::uint8_t {
    torus,  // of links that run in one direction, the other one on NoC 1
    mesh,
};

/// Routers and links. The same for all NoCs.
struct RouterConstants {
    std::int64_t topology = 0;                         // index of a NocTopology
    std::int64_t networks = 0;                         // NoCs
    std::int64_t virtual_channels = 0;                 // as numbered by software: datelines double them
    std::int64_t first_broadcast_virtual_channel = 0;  // those below are for unicast requests
    std::int64_t first_response_virtual_channel = 0;   // likewise
    std::int64_t flit_bytes = 0;
    /// Lengths of packets are counted in 16 bits, the header and the flit that reserves a path included.
    static constexpr std::int64_t kMaxPacketDataFlitsMax = 65'535 - 2;
    std::int64_t max_packet_data_flits = 0;
    Cycle hop_cycles = 0;            // from one router's output arbiter to the next router's input buffer
    Cycle credit_return_cycles = 0;  // from a flit leaving an input buffer to its credit at the upstream router
    std::int64_t private_flits_per_virtual_channel = 0;
    std::int64_t shared_flits_per_input_port = 0;
    std::int64_t shared_flits_per_virtual_channel_max = 0;
    static constexpr std::int64_t kNeverIdles = 65'535;  // `never` in files
    std::int64_t link_flits_on_end_max = 0;  // after so many on end, a link rests for a cycle; kNeverIdles: it does not
    std::int64_t dynamic_request_virtual_channels = 0;  // among which a dynamic request takes any at each hop
    Cycle reservation_reply_cycles = 0;                 // per hop: the answer to the reservation of a multicast's tree
    Cycle reservation_grant_cycles = 0;                 // at the source, from the answer to the header
    Cycle reservation_even_depth_cycles = 0;            // more of it, for trees of even depth
    std::int64_t reservation_backoff_cycles = 0;  // longest wait after a reservation that failed for the first time
    std::int64_t reservation_backoff_doublings_max = 0;  // it doubles with every further failure, so many times at most
    std::int64_t datelines =
        1;  // 1: each ring has a link that moves packets to the second set of virtual channels; 0: none
};

/// The network interface unit (NIU) between a tile and its router.
struct NiuConstants {
    Cycle injection_cycles = 0;       // NIU to router
    Cycle ejection_cycles = 0;        // router to NIU
    Cycle command_accept_cycles = 0;  // from the write of the command register to the front of the queue of initiators
    std::array<Tick, kNumNocs> source_ticks_per_data_flit{};          // reading L1 into the network; per NoC
    Tick source_ticks_per_header = 0;                                 // from a header to the next flit of the tile
    std::array<Tick, kNumNocs> sink_ticks_per_data_flit{};            // from the network into L1; per NoC
    std::array<Tick, kNumNocs> multicast_sink_ticks_per_data_flit{};  // the same, of a multicast; per NoC
    std::int64_t injection_buffer_flits = 0;                 // flits read from L1 that wait for the router, per stream
    std::int64_t concurrent_responses = 0;                   // response packets in flight per NIU
    std::int64_t read_requests_per_virtual_channel_max = 0;  // taken in, before their responses have begun
    Cycle read_turnaround_cycles = 0;                        // from a read request in the NIU to the L1 read
    Cycle atomic_interval_cycles = 0;                        // least spacing of atomics that a tile carries out
    Cycle read_request_hold_cycles = 0;  // until the next one can be taken in, if L1 alone delays the response
    /// Least spacing of reads of one NIU from one responder, unless they are stateful calls; per NoC.
    std::array<Tick, kNumNocs> same_responder_read_interval_ticks{};
    std::int64_t outstanding_reads_max = 0;  // read packets in flight per NIU
    /// 1: each RISC has command buffers and counters of its own; 0: those of a NIU are for whichever RISC uses the NoC.
    std::int64_t has_registers_per_risc = 0;
};

// Semaphores are at the end of reserved L1.
inline constexpr std::uint32_t kNumSemaphores = 16;   // per core
inline constexpr std::uint32_t kSemaphoreBytes = 16;  // L1 space of a semaphore
inline constexpr std::uint32_t kSemaphoresBytes = kNumSemaphores * kSemaphoreBytes;

/// L1 memory of a Tensix tile.
struct L1Constants {
    std::int64_t size_bytes = 0;
    std::int64_t reserved_bytes = 0;  // below this address lies the firmware
    std::int64_t alignment_bytes = 0;
    Cycle read_latency_cycles = 0;    // NIU asks L1 to first flit in the NIU
    Cycle write_visible_cycles = 0;   // last flit in the NIU to data that RISCs of the tile can load
    Cycle write_latency_cycles = 0;   // last flit in the NIU to acknowledgement
    Cycle atomic_latency_cycles = 0;  // request in the NIU to its response
    Tick poll_ticks = 0;              // time that a poll by a RISC takes from a NIU that takes in a multicast
};

/// The data-movement RISCs of a tile, and the times of one of them for each step of a kernel.
struct RiscConstants {
    std::int64_t riscs_per_tile = 0;
    std::int64_t register_bits = 0;      // kernels are compiled for RISCs of 32 bits
    Cycle launch_lag_cycles = 0;         // riscv_0 behind riscv_1, when a program starts
    Tick zone_ticks = 0;                 // start stamp of a profiler zone to its body
    Tick write_call_ticks = 0;           // issue interval of a unicast write
    Tick read_call_ticks = 0;            // issue interval of a read
    Tick set_state_ticks = 0;            // setting up stateful calls
    Tick stateful_write_call_ticks = 0;  // issue interval of a stateful write
    Tick stateful_read_call_ticks = 0;   // issue interval of a stateful read
    Tick write_new_target_ticks = 0;     // a write to another target than the one before, beyond a repeated one
    Tick read_new_target_ticks = 0;      // likewise a read
    Tick write_first_repeat_ticks = 0;   // once, when a write to a target is first repeated: its loop is entered
    Tick read_first_repeat_ticks = 0;    // likewise a read
    Tick register_load_ticks = 0;        // a load from a register of the NIU
    Tick register_return_ticks = 0;      // part of it after the register has been read
    Tick barrier_poll_ticks = 0;         // period of the loop that polls a counter
    Tick barrier_exit_ticks = 0;         // from the load that ends a poll to the code after the barrier
    Tick argument_load_ticks = 0;        // a runtime argument
    Tick first_argument_load_ticks = 0;  // the first one of a kernel
    Tick address_ticks = 0;              // building a NoC address
    Tick l1_load_ticks = 0;
    Tick l1_store_ticks = 0;
    Tick semaphore_call_ticks = 0;        // issue interval of an atomic increment
    Tick circular_buffer_call_ticks = 0;  // bookkeeping of one circular buffer call
};

/// The units of a tile that compute, and the threads that give them commands.
struct ComputeConstants {
    std::int64_t has_units = 0;                      // 1: kernels of unpack, math and pack run
    std::int64_t commands_ahead_max = 1;             // that a thread has given and that have not ended
    Cycle command_cycles = 0;                        // a call of a thread that gives a command
    std::int64_t unpack_bytes_per_cycle = 1;         // of one unpacker
    std::int64_t unpack_bytes_per_cycle_in_all = 1;  // of both
    Tick unpack_call_ticks = 0;                      // of a tile or a pair of tiles, beyond its bytes
    Tick matrix_instruction_ticks = 0;
    Tick math_call_ticks = 0;                // of a call on a tile, beyond its instructions
    std::int64_t simple_function_steps = 1;  // vector instructions for 32 values
    std::int64_t polynomial_function_steps = 1;
    std::int64_t iterative_function_steps = 1;
    std::int64_t pack_bytes_per_cycle = 1;
    Tick pack_call_ticks = 0;  // of a tile, beyond its bytes
};

/// DRAM channels and their controllers, as they are built.
struct DramConstants {
    std::vector<std::vector<PhysicalCoordinate>> channel_tiles;  // [channel] -> its tiles
    std::int64_t bank_size_bytes = 0;
    std::int64_t unreserved_base_bytes = 0;  // where the buffers of programs begin in a bank
    std::int64_t read_alignment_bytes = 0;
    std::int64_t write_alignment_bytes = 0;
    std::int64_t banks_per_subchannel = 0;
    std::int64_t read_buffer_bytes = 0;      // data that the controller reads ahead of what it has returned
    std::int64_t write_buffer_bytes = 0;     // written data that the controller takes ahead of DRAM, per endpoint
    Tick read_request_interval_ticks = 0;    // least spacing of the read requests that an endpoint passes on
    Tick same_responder_read_gap_ticks = 0;  // a read so long after the one before is not spaced as reads of L1 are
    std::int64_t read_requests_per_virtual_channel_max = 0;  // that an endpoint takes in ahead of DRAM
    Cycle write_change_cycles = 0;                           // from a write on one virtual channel to one on another
    std::int64_t acknowledges_from_buffer = 0;  // 1: writes are acknowledged from that buffer; 0: when DRAM takes them
    std::int64_t burst_bytes = 0;               // a write of part of a burst is a read, a change and a write
    Tick partial_write_ticks = 0;               // time in which that happens, and other writes to the burst wait
    std::int64_t write_queue_bursts = 0;        // bursts in part that wait for writes of their other bytes
};

/// The DRAM devices of a board. The firmware decides their clocks, and how addresses are spread over them.
struct MemoryConstants {
    Cycle read_latency_cycles = 0;   // request in the NIU to first data in the NIU, beyond what L1 takes
    Cycle write_latency_cycles = 0;  // last flit accepted to acknowledgement, beyond what L1 takes
    std::int64_t subchannels = 0;
    std::int64_t subchannel_interleave_bytes = 0;  // addresses change the subchannel after so many bytes
    std::int64_t bank_interleave_bytes = 0;        // addresses change the DRAM bank after so many bytes
    Tick subchannel_read_ticks_per_flit = 0;
    Tick subchannel_write_ticks_per_flit = 0;
    Tick bank_read_ticks_per_flit = 0;
    Tick bank_write_ticks_per_flit = 0;
};

/// Which tile serves which bank.
struct DramPlacementConstants {
    std::vector<DramBank> banks;
};

/// The PCIe tile, behind which the memory of the host is.
struct PcieConstants {
    /// Kernels set this bit of a NoC address to reach the host: in the address on the tile, or above all coordinates.
    std::int64_t host_address_bit = 0;
    std::int64_t host_memory_bytes = 0;  // that the tile reaches
    std::int64_t read_alignment_bytes = 0;
    std::int64_t write_alignment_bytes = 0;
    Tick read_request_interval_ticks = 0;   // least spacing of the read requests that the tile passes on
    Tick write_request_interval_ticks = 0;  // least spacing of the writes that it passes on
    std::int64_t read_requests_per_virtual_channel_max = 0;  // that the tile takes in ahead of the link
    std::int64_t write_buffer_bytes = 0;                     // written data that it takes ahead of the link
};

/// The link between a PCIe tile and the memory of a host. It runs in time of its own, whatever the clock of the tiles.
struct HostLinkConstants {
    std::int64_t read_megabytes_per_second = 0;   // data from the host, in 10^6 bytes per second
    std::int64_t write_megabytes_per_second = 0;  // data to the host
    std::int64_t read_latency_ns = 0;             // request in the NIU to first data in the NIU, beyond what L1 takes
    std::int64_t write_latency_ns = 0;            // last flit accepted to acknowledgement, beyond what L1 takes
};

/// How what is run with fewer transactions is taken to go on (kernels/frame/steady_state.h).
struct ShorteningConstants {
    std::int64_t contended_reads_root = 1;  // the mean time of a read falls with this root of their number
};

struct TorusArchitecture {
    GridConstants grid;
    RouterConstants router;
    NiuConstants niu;
    L1Constants l1;
    RiscConstants risc;
    RiscvConstants riscv;
    ComputeConstants compute;
    DramConstants dram;
    PcieConstants pcie;
    ShorteningConstants shortening;

    // As of the Architecture.
    std::string name;
    std::string root;
    Accuracy accuracy = Accuracy::exact;

    [[nodiscard]] bool is_mesh() const { return router.topology == static_cast<std::int64_t>(NocTopology::mesh); }
    [[nodiscard]] int num_nocs() const { return static_cast<int>(router.networks); }
    /// Returns the number of data-movement RISCs of a tile. The RISCs of compute threads have the next numbers.
    [[nodiscard]] int num_riscs() const { return static_cast<int>(risc.riscs_per_tile); }
    [[nodiscard]] int num_all_riscs() const { return num_riscs() + (compute.has_units != 0 ? kComputeRiscs : 0); }
};

struct TorusBoard {
    std::vector<std::int64_t> harvested_rows;     // physical y
    std::vector<std::int64_t> harvested_columns;  // physical x
    std::vector<std::int64_t> harvested_dram_channels;
    std::int64_t compute_columns = 0;  // logical grid that programs may use
    std::int64_t compute_rows = 0;
    Cycle launch_skew_cycles = 0;  // from the start of a program's kernel on one core to that on the next one
    std::string host_link;         // names of parts
    std::string memory;
    std::string dram_placement;
    HostLinkConstants host_link_constants;
    MemoryConstants memory_constants;
    DramPlacementConstants dram_placement_constants;

    // As of the Board.
    std::string name;
    std::int64_t clock_hz = 0;
};

/// The constants of an architecture of this kind. Throws InputError for one of another kind.
const TorusArchitecture& torus_of(const Architecture& architecture);
TorusArchitecture& torus_of(Architecture& architecture);
const TorusBoard& torus_of(const Board& board);
TorusBoard& torus_of(Board& board);

}  // namespace nocbench
