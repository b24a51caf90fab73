// Every constant of a modeled machine, as read from archs/*.yaml. What each field means, its unit, its range and its
// key in the file are declared once, in fields.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_model/arch/epiphany_constants.h"
#include "device_model/arch/plain_mesh_constants.h"
#include "device_model/arch/wishbone_constants.h"
#include "device_model/sim/coordinate.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

inline constexpr int kNumNocs = 2;

/// Data-movement RISCs of a Tensix tile: riscv_0 and riscv_1.
inline constexpr int kNumRiscs = 2;

/// What a machine is built like. It decides which constants its file has, and which tests there are for it.
enum class ArchitectureKind : std::uint8_t {
    tensix_torus,     // Tensix tiles and DRAM on two torus NoCs
    epiphany_mesh,    // Epiphany cores on a mesh of three planes, and an off-chip link
    wishbone_bridge,  // a host, a bridge, and an FPGA with a Wishbone bus
    plain_mesh,       // a mesh of routers, with sources and receivers of packets
};

std::span<const ArchitectureKind> architecture_kinds();

/// A kind as files name it.
std::string_view to_string(ArchitectureKind kind);

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

/// Routers and links. The same for both NoCs.
struct RouterConstants {
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
    std::array<Tick, kNumNocs> sink_ticks_per_data_flit{};            // from the network into L1; per NoC
    std::array<Tick, kNumNocs> multicast_sink_ticks_per_data_flit{};  // the same, of a multicast; per NoC
    std::int64_t injection_buffer_flits = 0;                 // flits read from L1 that wait for the router, per stream
    std::int64_t concurrent_responses = 0;                   // response packets in flight per NIU
    std::int64_t read_requests_per_virtual_channel_max = 0;  // taken in, before their responses have begun
    Cycle read_turnaround_cycles = 0;                        // from a read request in the NIU to the L1 read
    Cycle read_request_hold_cycles = 0;  // until the next one can be taken in, if L1 alone delays the response
    /// Least spacing of reads of one NIU from one responder, unless they are stateful calls; per NoC.
    std::array<Tick, kNumNocs> same_responder_read_interval_ticks{};
    std::int64_t outstanding_reads_max = 0;  // read packets in flight per NIU
};

/// L1 memory of a Tensix tile.
struct L1Constants {
    std::int64_t size_bytes = 0;
    std::int64_t reserved_bytes = 0;  // below this address lies the firmware
    std::int64_t alignment_bytes = 0;
    Cycle read_latency_cycles = 0;    // NIU asks L1 to first flit in the NIU
    Cycle write_visible_cycles = 0;   // last flit in the NIU to data that RISCs of the tile can load
    Cycle write_latency_cycles = 0;   // last flit in the NIU to acknowledgement
    Cycle atomic_latency_cycles = 0;  // request in the NIU to its response
};

/// What one data-movement RISC needs for each step of a kernel.
struct RiscConstants {
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

/// The core that runs compiled kernels. Flags are 0 or 1.
struct RiscvConstants {
    std::int64_t private_memory_bytes = 0;
    std::int64_t has_atomic_operations = 0;  // Zaamo
    std::int64_t has_bit_manipulation = 0;   // Zba and Zbb
    std::int64_t has_control_registers = 0;  // Zicsr
    std::int64_t has_single_float = 0;       // F
    Cycle private_load_cycles = 1;           // latencies: until the next instruction can use the value
    Cycle register_load_cycles = 1;          // of NIUs, streams, clocks
    Cycle l1_load_cycles = 1;
    std::int64_t loads_in_flight_max = 1;  // from elsewhere than private memory
    Cycle l1_store_interval_cycles = 1;
    std::int64_t store_queue_entries = 1;
    std::int64_t coalesced_store_bytes = 0;  // stores to one block of L1 of so many bytes join; 0: they do not
    Cycle branch_mispredicted_cycles = 1;
    Cycle multiply_issue_cycles = 1;  // until the next instruction
    Cycle multiply_latency_cycles = 1;
    Cycle divide_trivial_cycles = 1;  // by 0 or 1
    Cycle divide_cycles_min = 1;
    Cycle divide_cycles_max = 1;  // by the size of the dividend
    Cycle atomic_cycles = 1;
    Cycle float_latency_cycles = 1;
    Cycle float_divide_cycles = 1;
    std::int64_t cache_lines = 0;  // of the L0 data cache
    Cycle cache_hit_cycles = 1;
    Cycle zone_cycles = 0;   // a profiler zone's time stamp
    Cycle print_cycles = 0;  // a piece of what is printed
};

/// Where a DRAM bank, as programs number them, is reached and where it begins.
struct DramBank {
    std::int64_t channel = 0;
    std::array<PhysicalCoordinate, kNumNocs> endpoint{};  // tile used on each NoC
    std::int64_t offset_bytes = 0;                        // added to addresses within the bank
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
    Tick partial_write_ticks = 0;               // what such a write costs the subchannel
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
    Tick read_request_interval_ticks = 0;  // least spacing of the read requests that the tile passes on
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

/// A product: fixes grid, harvesting and clock.
struct Board {
    std::string name;
    std::string description;
    std::int64_t clock_hz = 0;

    // Of a tensix_torus.
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

    // Of an epiphany_mesh or a plain_mesh. Cores of Epiphany have ids of 6 bits for the row and 6 bits for the column.
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    std::int64_t first_core_row = 0;
    std::int64_t first_core_column = 0;

    // Of a wishbone_bridge.
    std::string host;  // names of parts
    std::string bridge;
    std::string fpga;
    std::int64_t switches = 0;
    std::int64_t fibre_metres = 0;
    WishboneConstants wishbone;  // of these parts
};

/// Where the value of a constant comes from.
struct Provenance {
    std::string status;     // documented, measured, fitted or estimated
    std::string source;     // the document, or what the estimate rests on
    std::string fitted_to;  // the measurements that a fitted value was fitted to
};

/// How networks of a tensix_torus are simulated: flit by flit, or packet by packet (docs/packet_level.md).
enum class Accuracy : std::uint8_t { exact, fast };

struct Architecture {
    std::vector<std::filesystem::path> files;  // that it was read from: its own, and those that this one is based on
    std::string name;
    std::string root;  // name of the last of these files, whose chip has the same registers and compiler
    ArchitectureKind kind = ArchitectureKind::tensix_torus;
    std::string description;
    std::string default_board;

    // Of a tensix_torus.
    GridConstants grid;
    RouterConstants router;
    NiuConstants niu;
    L1Constants l1;
    RiscConstants risc;
    RiscvConstants riscv;
    DramConstants dram;
    PcieConstants pcie;
    ShorteningConstants shortening;

    EpiphanyConstants epiphany;     // of an epiphany_mesh
    PlainMeshConstants plain_mesh;  // of a plain_mesh

    /// The parts that boards are composed of, in the fields of a board, by the key of the file: "hosts" -> scu3, ...
    std::map<std::string, std::vector<Board>, std::less<>> parts;

    std::map<std::string, Board> boards;
    Accuracy accuracy = Accuracy::exact;           // not of the file
    std::map<std::string, Provenance> provenance;  // by path in the file: "router.hop_cycles", "boards.n150.clock_hz"

    /// The board called `board_name`, or the default board if it is empty. Throws InputError that lists the boards.
    [[nodiscard]] const Board& board(const std::string& board_name) const;

    /// Data that a link moves at once: a flit, or the dword of a transaction on the mesh.
    [[nodiscard]] std::int64_t flit_bytes() const;

    /// What a link carries at most.
    [[nodiscard]] double link_bytes_per_cycle() const;
};

/// Besides those of fields: exact or fast.
inline constexpr std::string_view kAccuracySetting = "accuracy";

/// One `--set key=value`.
using Setting = std::pair<std::string, std::string>;

/// Reads and validates an architecture file and then applies `settings` in order. Throws InputError that lists every
/// mistake of the file at once, each with file, line and column; mistakes in settings name the setting. A setting
/// kAccuracySetting chooses the accuracy.
/// A setting's key is a path of the file without the board's name: `router.hop_cycles`, `board.harvested_rows`; a
/// `board.` key changes `board_name` (or the default board). `host.driver_ns` changes the host that this board has; its
/// name may stand in the key as it does in the file, `hosts.scu3.driver_ns`. The other boards are not checked against
/// settings.
Architecture load_architecture(const std::filesystem::path& file, const std::string& board_name = "",
                               const std::vector<Setting>& settings = {});

/// The extension of architecture files.
inline constexpr std::string_view kArchitectureExtension = ".yaml";

/// Finds the file of a modeled architecture by name, in the directory of architecture files or among those that were
/// added. Throws InputError that lists the architectures of the directory.
std::filesystem::path find_architecture(const std::string& name);

/// Makes an architecture known whose file is not in the directory, and returns its name. Throws InputError for mistakes
/// in the file, and if another file has an architecture of this name.
std::string add_architecture(const std::filesystem::path& file);

/// Names of the architectures in the directory of architecture files, sorted.
std::vector<std::string> architecture_names();

/// Those of one kind. Reads all files; throws InputError for mistakes in any of them.
std::vector<std::string> architecture_names(ArchitectureKind kind);

/// Overrides the directory of architecture files; the default is the one that was compiled in.
void set_architecture_directory(const std::filesystem::path& directory);

/// The JSON Schema (draft 2020-12) of an architecture file, generated from the table of fields.
std::string architecture_json_schema();

}  // namespace nocbench
