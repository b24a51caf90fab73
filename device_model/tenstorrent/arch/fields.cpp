#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/field_builders.h"
#include "device_model/arch/fields/kinds.h"
#include "device_model/sim/ids.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/arch/cross_checks.h"

namespace nocbench {

namespace {

constexpr std::int64_t kTranslatedMaximum = 63;                          // coordinates have 6 bits in a NoC address
constexpr std::int64_t kBytesMaximum = 1LL << 36;                        // addresses have 36 bits in a NoC address
constexpr std::array<std::string_view, 2> kTopologies{"torus", "mesh"};  // in the order of NocTopology

template <auto Section, auto Member>
auto& in(Architecture& architecture, Board& /*board*/) {
    return torus_of(architecture).*Section.*Member;
}

template <auto Section, auto Member>
auto& in_part(Architecture& /*architecture*/, Board& board) {
    return torus_of(board).*Section.*Member;
}

template <auto Member>
auto& of_board(Architecture& /*architecture*/, Board& board) {
    return torus_of(board).*Member;
}

/// Cycles of an instruction of a compiled kernel: nothing takes no time.
Field instruction_cycles(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "cycles", 1, 1000, access, meaning);
}

Field rate(std::string_view key, FieldAccess access, std::string_view meaning) {
    return decimal(key, "cycles per flit", 1, 1000, access, meaning);
}

std::vector<Field> torus_fields() {
    using A = TorusArchitecture;
    using Grid = GridConstants;
    using Router = RouterConstants;
    using Niu = NiuConstants;
    using L1 = L1Constants;
    using Riscv = RiscvConstants;
    using Compute = ComputeConstants;
    using Risc = RiscConstants;
    using Dram = DramConstants;
    using Pcie = PcieConstants;
    using Shortening = ShorteningConstants;

    return {
        whole("grid.columns", "tiles", 1, kGridMaximum, in<&A::grid, &Grid::columns>, "columns of the physical grid"),
        whole("grid.rows", "tiles", 1, kGridMaximum, in<&A::grid, &Grid::rows>, "rows of the physical grid"),
        list("grid.tensix_columns", "coordinate", kPlaceMaximum, 1, in<&A::grid, &Grid::tensix_columns>,
             "physical x of the columns of Tensix tiles, in order of logical x"),
        list("grid.tensix_rows", "coordinate", kPlaceMaximum, 1, in<&A::grid, &Grid::tensix_rows>,
             "physical y of the rows of Tensix tiles, in order of logical y"),
        list("grid.translated_columns", "coordinate", kTranslatedMaximum, 1, in<&A::grid, &Grid::translated_columns>,
             "translated x, by which kernels name the live columns of Tensix tiles in order and then the harvested "
             "ones"),
        list("grid.translated_rows", "coordinate", kTranslatedMaximum, 1, in<&A::grid, &Grid::translated_rows>,
             "translated y, by which kernels name the live rows of Tensix tiles in order and then the harvested ones"),
        list("grid.ethernet_tiles", "coordinate", kPlaceMaximum, 0, in<&A::grid, &Grid::ethernet_tiles>,
             "places of the Ethernet tiles, in order of channel"),
        list("grid.pcie_tiles", "coordinate", kPlaceMaximum, 0, in<&A::grid, &Grid::pcie_tiles>,
             "places of the PCIe tiles"),
        list("grid.arc_tiles", "coordinate", kPlaceMaximum, 0, in<&A::grid, &Grid::arc_tiles>,
             "places of the tiles of the management processor"),

        word("router.topology", kTopologies, in<&A::router, &Router::topology>,
             "wiring of a NoC: a torus of links in one direction, which NoC 1 has the other way round, or a mesh"),
        whole("router.networks", "count", 1, kNumNocs, in<&A::router, &Router::networks>, "NoCs"),
        power_of_two("router.virtual_channels", "count", 8, kVirtualChannelsMax,
                     in<&A::router, &Router::virtual_channels>,
                     "virtual channels as numbered by software; datelines double them"),
        whole("router.first_broadcast_virtual_channel", "channel", 1, kVirtualChannelsMax - 2,
              in<&A::router, &Router::first_broadcast_virtual_channel>,
              "first virtual channel of multicasts; those below are for unicast requests"),
        whole("router.first_response_virtual_channel", "channel", 2, kVirtualChannelsMax - 1,
              in<&A::router, &Router::first_response_virtual_channel>,
              "first virtual channel of responses; those below are for requests"),
        power_of_two("router.flit_bytes", "bytes", 4, 4096, in<&A::router, &Router::flit_bytes>,
                     "data of a flit, the width of a link"),
        whole("router.max_packet_data_flits", "flits", 1, Router::kMaxPacketDataFlitsMax,
              in<&A::router, &Router::max_packet_data_flits>, "most data flits of a packet, its header not counted"),
        whole("router.hop_cycles", "cycles", 1, 1000, in<&A::router, &Router::hop_cycles>,
              "from one router's output arbiter to the next router's input buffer"),
        whole("router.credit_return_cycles", "cycles", 1, 1000, in<&A::router, &Router::credit_return_cycles>,
              "from a flit leaving an input buffer to its credit at the upstream router"),
        or_never(Router::kNeverIdles, whole("router.link_flits_on_end_max", "flits", 1, Router::kNeverIdles - 1,
                                            in<&A::router, &Router::link_flits_on_end_max>,
                                            "flits that a link passes on end before it rests for a cycle")),
        whole("router.private_flits_per_virtual_channel", "flits", 1, 31,
              in<&A::router, &Router::private_flits_per_virtual_channel>,
              "room of an input port that one virtual channel owns"),
        whole("router.shared_flits_per_input_port", "flits", 0, 4096,
              in<&A::router, &Router::shared_flits_per_input_port>,
              "room of an input port that its virtual channels share"),
        whole("router.shared_flits_per_virtual_channel_max", "flits", 0, 31,
              in<&A::router, &Router::shared_flits_per_virtual_channel_max>,
              "most of the shared room that one virtual channel may hold"),
        whole("router.reservation_reply_cycles", "cycles", 1, 1000, in<&A::router, &Router::reservation_reply_cycles>,
              "per hop: the answer to a reservation of a multicast's tree, back to its source"),
        latency("router.reservation_grant_cycles", in<&A::router, &Router::reservation_grant_cycles>,
                "at the source of a multicast, from the answer to its reservation to its header"),
        latency("router.reservation_even_depth_cycles", in<&A::router, &Router::reservation_even_depth_cycles>,
                "what the grant takes longer for trees of an even depth"),
        whole("router.reservation_backoff_cycles", "cycles", 1, 65'536,
              in<&A::router, &Router::reservation_backoff_cycles>,
              "longest wait of a source after its reservation failed for the first time"),
        whole("router.reservation_backoff_doublings_max", "doublings", 0, 16,
              in<&A::router, &Router::reservation_backoff_doublings_max>,
              "how often that doubles with further failures, at most"),
        power_of_two("router.dynamic_request_virtual_channels", "count", 1, 4,
                     in<&A::router, &Router::dynamic_request_virtual_channels>,
                     "virtual channels of unicast requests among which a dynamic one takes any at each hop"),
        whole("router.datelines", "count", 0, 1, in<&A::router, &Router::datelines>,
              "1: a link of each ring moves packets to a second set of virtual channels; 0: none does, and rings can "
              "deadlock"),

        whole("niu.injection_cycles", "cycles", 1, 1000, in<&A::niu, &Niu::injection_cycles>, "from NIU to router"),
        whole("niu.ejection_cycles", "cycles", 1, 1000, in<&A::niu, &Niu::ejection_cycles>, "from router to NIU"),
        latency("niu.command_accept_cycles", in<&A::niu, &Niu::command_accept_cycles>,
                "from the write of the command register to the front of the queue of initiators"),
        rate("niu.source_cycles_per_data_flit", in<&A::niu, &Niu::source_ticks_per_data_flit>,
             "spacing of data flits that are read from L1 into the network, for NoC 0 and NoC 1"),
        decimal("niu.source_cycles_per_header", "cycles", 1, kLatencyMaximum,
                in<&A::niu, &Niu::source_ticks_per_header>,
                "from a header to the next flit of the tile that enters the network, on any virtual channel"),
        rate("niu.sink_cycles_per_data_flit", in<&A::niu, &Niu::sink_ticks_per_data_flit>,
             "spacing of data flits that are written from the network into L1, for NoC 0 and NoC 1"),
        rate("niu.multicast_sink_cycles_per_data_flit", in<&A::niu, &Niu::multicast_sink_ticks_per_data_flit>,
             "spacing of data flits of multicasts that are written from the network into L1, for NoC 0 and NoC 1"),
        whole("niu.injection_buffer_flits", "flits", 1, 32, in<&A::niu, &Niu::injection_buffer_flits>,
              "flits of one stream that have been read from L1 and wait for the router"),
        whole("niu.concurrent_responses", "packets", 1, 64, in<&A::niu, &Niu::concurrent_responses>,
              "response packets that a NIU has in flight at once"),
        whole("niu.read_requests_per_virtual_channel_max", "packets", 1, 1 << 20,
              in<&A::niu, &Niu::read_requests_per_virtual_channel_max>,
              "read requests of one virtual channel that a NIU takes in, before it has begun to answer them"),
        latency("niu.read_turnaround_cycles", in<&A::niu, &Niu::read_turnaround_cycles>,
                "from a read request in the NIU to the read of L1"),
        latency("niu.atomic_interval_cycles", in<&A::niu, &Niu::atomic_interval_cycles>,
                "least spacing of atomics that a tile carries out, from any number of senders"),
        latency("niu.read_request_hold_cycles", in<&A::niu, &Niu::read_request_hold_cycles>,
                "from a read request in the NIU to the next one of its virtual channel, if nothing but L1 delays the "
                "response"),
        decimal("niu.same_responder_read_interval_cycles", "cycles", 0, kLatencyMaximum,
                in<&A::niu, &Niu::same_responder_read_interval_ticks>,
                "least spacing of reads of one NIU from one responder, unless they are stateful, for NoC 0 and NoC 1"),
        whole("niu.outstanding_reads_max", "packets", 1, 65'536, in<&A::niu, &Niu::outstanding_reads_max>,
              "read packets that one NIU has in flight"),
        flag("niu.has_registers_per_risc", in<&A::niu, &Niu::has_registers_per_risc>,
             "1: each RISC has command buffers and counters of its own, so that several can use a NoC; 0: those of a "
             "NIU are shared"),

        whole("l1.size_bytes", "bytes", 1, kBytesMaximum, in<&A::l1, &L1::size_bytes>, "L1 memory of a Tensix tile"),
        whole("l1.reserved_bytes", "bytes", 0, kBytesMaximum, in<&A::l1, &L1::reserved_bytes>,
              "part from address 0 that belongs to the firmware"),
        power_of_two("l1.alignment_bytes", "bytes", 1, 4096, in<&A::l1, &L1::alignment_bytes>,
                     "alignment of addresses for NoC transactions"),
        latency("l1.read_latency_cycles", in<&A::l1, &L1::read_latency_cycles>,
                "from the NIU asking L1 to the first flit in the NIU"),
        latency("l1.write_visible_cycles", in<&A::l1, &L1::write_visible_cycles>,
                "from the last flit in the NIU to data in L1 that RISCs of the tile can load"),
        latency("l1.write_latency_cycles", in<&A::l1, &L1::write_latency_cycles>,
                "from the last flit in the NIU to the acknowledgement, or the end of a read"),
        latency("l1.atomic_latency_cycles", in<&A::l1, &L1::atomic_latency_cycles>,
                "from the request of an atomic in the NIU to its response"),
        step("l1.poll_cycles", in<&A::l1, &L1::poll_ticks>,
             "time of L1 that a RISC which polls it takes from multicasts to its tile, each time"),

        whole("risc.riscs_per_tile", "count", 1, kRiscsMax, in<&A::risc, &Risc::riscs_per_tile>,
              "data-movement RISCs of a tile: riscv_0, riscv_1 and so on"),
        whole("risc.register_bits", "bits", 32, 64, in<&A::risc, &Risc::register_bits>,
              "width of their registers; kernels can be compiled for 32"),
        latency("risc.launch_lag_cycles", in<&A::risc, &Risc::launch_lag_cycles>,
                "from the first instruction of kernels on riscv_1 to that of kernels on riscv_0, in one program"),
        step("risc.zone_cycles", in<&A::risc, &Risc::zone_ticks>,
             "from the start stamp of a profiler zone to the zone's body"),
        step("risc.write_call_cycles", in<&A::risc, &Risc::write_call_ticks>, "issue interval of unicast writes"),
        step("risc.read_call_cycles", in<&A::risc, &Risc::read_call_ticks>, "issue interval of reads"),
        step("risc.set_state_cycles", in<&A::risc, &Risc::set_state_ticks>,
             "writing the registers that stateful calls have in common"),
        step("risc.stateful_write_call_cycles", in<&A::risc, &Risc::stateful_write_call_ticks>,
             "issue interval of stateful writes"),
        step("risc.stateful_read_call_cycles", in<&A::risc, &Risc::stateful_read_call_ticks>,
             "issue interval of stateful reads"),
        step("risc.write_new_target_cycles", in<&A::risc, &Risc::write_new_target_ticks>,
             "what a write to another target than the one before takes longer"),
        step("risc.read_new_target_cycles", in<&A::risc, &Risc::read_new_target_ticks>,
             "what a read from another target than the one before takes longer"),
        step("risc.write_first_repeat_cycles", in<&A::risc, &Risc::write_first_repeat_ticks>,
             "what the second of several writes to a target takes longer"),
        step("risc.read_first_repeat_cycles", in<&A::risc, &Risc::read_first_repeat_ticks>,
             "what the second of several reads from a target takes longer"),
        step("risc.register_load_cycles", in<&A::risc, &Risc::register_load_ticks>,
             "a load from a register of the NIU"),
        step("risc.register_return_cycles", in<&A::risc, &Risc::register_return_ticks>,
             "part of such a load after the register has been read"),
        step("risc.barrier_poll_cycles", in<&A::risc, &Risc::barrier_poll_ticks>,
             "period of the loop that polls a counter of the NIU"),
        step("risc.barrier_exit_cycles", in<&A::risc, &Risc::barrier_exit_ticks>,
             "from the load that ends a barrier's poll to the code after the barrier"),
        step("risc.argument_load_cycles", in<&A::risc, &Risc::argument_load_ticks>, "reading a runtime argument"),
        step("risc.first_argument_load_cycles", in<&A::risc, &Risc::first_argument_load_ticks>,
             "the first load of a runtime argument by a kernel"),
        step("risc.address_cycles", in<&A::risc, &Risc::address_ticks>, "building a NoC address"),
        step("risc.l1_load_cycles", in<&A::risc, &Risc::l1_load_ticks>, "a load from L1"),
        step("risc.l1_store_cycles", in<&A::risc, &Risc::l1_store_ticks>, "interval of stores to L1"),
        step("risc.semaphore_call_cycles", in<&A::risc, &Risc::semaphore_call_ticks>,
             "issue interval of atomic increments"),
        step("risc.circular_buffer_call_cycles", in<&A::risc, &Risc::circular_buffer_call_ticks>,
             "bookkeeping of one circular buffer call"),

        whole("riscv.private_memory_bytes", "bytes", 1024, 1 << 20, in<&A::riscv, &Riscv::private_memory_bytes>,
              "memory of a RISC for its globals and its stack"),
        flag("riscv.has_atomic_operations", in<&A::riscv, &Riscv::has_atomic_operations>,
             "1: it executes atomic operations (Zaamo)"),
        flag("riscv.has_bit_manipulation", in<&A::riscv, &Riscv::has_bit_manipulation>,
             "1: it executes Zba and Zbb, address generation and bit manipulation"),
        flag("riscv.has_control_registers", in<&A::riscv, &Riscv::has_control_registers>,
             "1: it has control and status registers (Zicsr)"),
        flag("riscv.has_single_float", in<&A::riscv, &Riscv::has_single_float>,
             "1: it executes floating-point operations of single precision (F)"),
        instruction_cycles("riscv.private_load_cycles", in<&A::riscv, &Riscv::private_load_cycles>,
                           "a load from private memory, until the next instruction can use it"),
        instruction_cycles("riscv.register_load_cycles", in<&A::riscv, &Riscv::register_load_cycles>,
                           "a load from a register of an NIU, a stream or the clock, likewise"),
        instruction_cycles("riscv.l1_load_cycles", in<&A::riscv, &Riscv::l1_load_cycles>, "a load from L1, likewise"),
        whole("riscv.loads_in_flight_max", "count", 1, 8, in<&A::riscv, &Riscv::loads_in_flight_max>,
              "loads from registers and L1 at a time"),
        instruction_cycles("riscv.l1_store_interval_cycles", in<&A::riscv, &Riscv::l1_store_interval_cycles>,
                           "between stores to L1 that follow each other"),
        whole("riscv.store_queue_entries", "count", 1, 8, in<&A::riscv, &Riscv::store_queue_entries>,
              "stores that wait for their turn while the RISC goes on"),
        whole("riscv.coalesced_store_bytes", "bytes", 0, 64, in<&A::riscv, &Riscv::coalesced_store_bytes>,
              "stores to one block of L1 of so many bytes that follow each other take the time of one; 0: of each"),
        instruction_cycles("riscv.branch_mispredicted_cycles", in<&A::riscv, &Riscv::branch_mispredicted_cycles>,
                           "a branch that went where it was not expected to; one that was takes 1"),
        instruction_cycles("riscv.multiply_issue_cycles", in<&A::riscv, &Riscv::multiply_issue_cycles>,
                           "a multiplication, until the next instruction"),
        instruction_cycles("riscv.multiply_latency_cycles", in<&A::riscv, &Riscv::multiply_latency_cycles>,
                           "a multiplication, until the next instruction can use it"),
        instruction_cycles("riscv.divide_trivial_cycles", in<&A::riscv, &Riscv::divide_trivial_cycles>,
                           "a division or remainder by 0 or 1"),
        instruction_cycles("riscv.divide_cycles_min", in<&A::riscv, &Riscv::divide_cycles_min>,
                           "a division or remainder of a small number"),
        instruction_cycles("riscv.divide_cycles_max", in<&A::riscv, &Riscv::divide_cycles_max>,
                           "of a number of 32 bits; between, a cycle per bit"),
        instruction_cycles("riscv.atomic_cycles", in<&A::riscv, &Riscv::atomic_cycles>,
                           "an atomic operation on L1, until the next instruction can use it"),
        instruction_cycles("riscv.float_latency_cycles", in<&A::riscv, &Riscv::float_latency_cycles>,
                           "a floating-point operation, until the next instruction can use it"),
        instruction_cycles("riscv.float_divide_cycles", in<&A::riscv, &Riscv::float_divide_cycles>,
                           "a floating-point division or square root"),
        whole("riscv.cache_lines", "count", 0, 4, in<&A::riscv, &Riscv::cache_lines>,
              "lines of 16 bytes of the L0 data cache, in front of L1; 0: there is none"),
        flag("riscv.cache_is_on", in<&A::riscv, &Riscv::cache_is_on>,
             "1: firmware leaves the L0 data cache on, if there is one; 0: off"),
        instruction_cycles("riscv.cache_hit_cycles", in<&A::riscv, &Riscv::cache_hit_cycles>,
                           "a load from the L0 data cache, until the next instruction can use it"),
        latency("riscv.zone_cycles", in<&A::riscv, &Riscv::zone_cycles>,
                "the time stamp at the start or the end of a profiler zone, and a recorded value"),
        latency("riscv.print_cycles", in<&A::riscv, &Riscv::print_cycles>, "each value that a kernel prints"),

        flag("compute.has_units", in<&A::compute, &Compute::has_units>,
             "1: the units that compute, and the RISCs of their three threads, are modeled; 0: they are not"),
        whole("compute.commands_ahead_max", "count", 1, 1024, in<&A::compute, &Compute::commands_ahead_max>,
              "commands that a thread has given to its units and that have not ended"),
        latency("compute.command_cycles", in<&A::compute, &Compute::command_cycles>,
                "a call of a compute kernel that gives a command, beyond the instructions of nocbench's headers"),
        whole("compute.unpack_bytes_per_cycle", "bytes per cycle", 1, 4096,
              in<&A::compute, &Compute::unpack_bytes_per_cycle>, "one unpacker alone, reading L1"),
        whole("compute.unpack_bytes_per_cycle_in_all", "bytes per cycle", 1, 8192,
              in<&A::compute, &Compute::unpack_bytes_per_cycle_in_all>, "both unpackers together"),
        step("compute.unpack_call_cycles", in<&A::compute, &Compute::unpack_call_ticks>,
             "unpacking a tile or a pair of tiles, beyond the time of its bytes"),
        step("compute.matrix_instruction_cycles", in<&A::compute, &Compute::matrix_instruction_ticks>,
             "an instruction of the matrix unit, on 8 rows of 16 values"),
        step("compute.math_call_cycles", in<&A::compute, &Compute::math_call_ticks>,
             "a call that computes on a tile, beyond the time of its instructions"),
        whole("compute.simple_function_steps", "instructions", 1, 10'000,
              in<&A::compute, &Compute::simple_function_steps>,
              "vector instructions for 32 values of a function that compares, adds or multiplies"),
        whole("compute.polynomial_function_steps", "instructions", 1, 10'000,
              in<&A::compute, &Compute::polynomial_function_steps>,
              "the same of a function by a polynomial, such as an exponential"),
        whole("compute.iterative_function_steps", "instructions", 1, 10'000,
              in<&A::compute, &Compute::iterative_function_steps>,
              "the same of a function by repeated approximation, such as a root"),
        whole("compute.pack_bytes_per_cycle", "bytes per cycle", 1, 4096,
              in<&A::compute, &Compute::pack_bytes_per_cycle>, "all packers together, writing L1"),
        step("compute.pack_call_cycles", in<&A::compute, &Compute::pack_call_ticks>,
             "packing a tile, beyond the time of its bytes"),

        list("dram.channel_tiles", "coordinate", kPlaceMaximum, 1, in<&A::dram, &Dram::channel_tiles>,
             "for each channel the tiles that reach it; channels may share tiles"),
        whole("dram.bank_size_bytes", "bytes", 1, kBytesMaximum, in<&A::dram, &Dram::bank_size_bytes>,
              "memory of a bank"),
        whole("dram.unreserved_base_bytes", "bytes", 0, 1 << 30, in<&A::dram, &Dram::unreserved_base_bytes>,
              "where the buffers of programs begin in a bank"),
        power_of_two("dram.read_alignment_bytes", "bytes", 1, 4096, in<&A::dram, &Dram::read_alignment_bytes>,
                     "alignment of addresses that are read"),
        power_of_two("dram.write_alignment_bytes", "bytes", 1, 4096, in<&A::dram, &Dram::write_alignment_bytes>,
                     "alignment of addresses that are written"),
        whole("dram.banks_per_subchannel", "count", 1, 64, in<&A::dram, &Dram::banks_per_subchannel>,
              "DRAM banks of a subchannel"),
        whole("dram.read_buffer_bytes", "bytes", 4096, 1 << 20, in<&A::dram, &Dram::read_buffer_bytes>,
              "data that the controller reads ahead of what it has returned"),
        whole("dram.write_buffer_bytes", "bytes", 64, 1 << 20, in<&A::dram, &Dram::write_buffer_bytes>,
              "written data that the controller takes ahead of DRAM, per endpoint"),
        decimal("dram.read_request_interval_cycles", "cycles", 0, kLatencyMaximum,
                in<&A::dram, &Dram::read_request_interval_ticks>,
                "least spacing of the read requests that an endpoint passes on to DRAM, on each NoC"),
        decimal("dram.same_responder_read_gap_cycles", "cycles", 0, kLatencyMaximum,
                in<&A::dram, &Dram::same_responder_read_gap_ticks>,
                "a read from an endpoint that comes so long after the one before is not held to "
                "niu.same_responder_read_interval_cycles"),
        whole("dram.read_requests_per_virtual_channel_max", "packets", 1, 1 << 20,
              in<&A::dram, &Dram::read_requests_per_virtual_channel_max>,
              "read requests of one virtual channel that an endpoint takes in, before it has begun to answer them"),
        latency("dram.write_change_cycles", in<&A::dram, &Dram::write_change_cycles>,
                "from the last flit of a full packet that is written to the data of a write on another virtual "
                "channel, at an "
                "endpoint; less in proportion after a shorter one"),
        whole("dram.acknowledges_from_buffer", "count", 0, 1, in<&A::dram, &Dram::acknowledges_from_buffer>,
              "1: writes are acknowledged once they are in the write buffer; 0: when DRAM takes them"),
        power_of_two("dram.burst_bytes", "bytes", 1, 4096, in<&A::dram, &Dram::burst_bytes>,
                     "unit of DRAM access; a write of part of it is a read, a change and a write"),
        decimal("dram.partial_write_cycles", "cycles", 0, kLatencyMaximum, in<&A::dram, &Dram::partial_write_ticks>,
                "time in which a burst is read, changed and written, and other writes to the same bytes wait"),
        whole("dram.write_queue_bursts", "count", 1, 1 << 10, in<&A::dram, &Dram::write_queue_bursts>,
              "bursts of which a channel holds a part, so that writes of the other bytes merge with it"),

        whole("pcie.host_address_bit", "bit", 32, 63, in<&A::pcie, &Pcie::host_address_bit>,
              "bit of a NoC address that kernels set to reach the memory of the host through the PCIe tile"),
        whole("pcie.host_memory_bytes", "bytes", 1, kBytesMaximum, in<&A::pcie, &Pcie::host_memory_bytes>,
              "memory of the host that the PCIe tile reaches"),
        power_of_two("pcie.read_alignment_bytes", "bytes", 1, 4096, in<&A::pcie, &Pcie::read_alignment_bytes>,
                     "alignment of addresses that are read"),
        power_of_two("pcie.write_alignment_bytes", "bytes", 1, 4096, in<&A::pcie, &Pcie::write_alignment_bytes>,
                     "alignment of addresses that are written"),
        decimal("pcie.read_request_interval_cycles", "cycles", 0, kLatencyMaximum,
                in<&A::pcie, &Pcie::read_request_interval_ticks>,
                "least spacing of the read requests that the PCIe tile passes on to the host, on each NoC"),
        decimal("pcie.write_request_interval_cycles", "cycles", 0, kLatencyMaximum,
                in<&A::pcie, &Pcie::write_request_interval_ticks>,
                "least spacing of the writes that the PCIe tile passes on to the host, on each NoC"),
        whole("pcie.read_requests_per_virtual_channel_max", "packets", 1, 1 << 20,
              in<&A::pcie, &Pcie::read_requests_per_virtual_channel_max>,
              "read requests of one virtual channel that the PCIe tile takes in, before it has begun to answer them"),
        whole("pcie.write_buffer_bytes", "bytes", 64, 1 << 20, in<&A::pcie, &Pcie::write_buffer_bytes>,
              "written data that the PCIe tile takes ahead of the link to the host"),

        whole("shortening.contended_reads_root", "degree", 1, 1000,
              in<&A::shortening, &Shortening::contended_reads_root>,
              "of kernels in each other's way that read, the mean time of a transaction is expected to fall with this "
              "root of the number of transactions, until the window of reads in flight is full of those from one "
              "responder"),
    };
}

std::vector<Field> host_link_fields() {
    using Link = HostLinkConstants;
    // From far below the slowest link to far above the fastest one, so that a flit takes more than no time.
    const auto rate_of_link = [](std::string_view key, FieldAccess access, std::string_view meaning) {
        return whole(key, "megabytes per second", 1, 1'000'000, access, meaning);
    };
    const auto latency_of_link = [](std::string_view key, FieldAccess access, std::string_view meaning) {
        return whole(key, "nanoseconds", 0, kLatencyMaximum, access, meaning);
    };
    return {
        rate_of_link("host_link.read_megabytes_per_second",
                     in_part<&TorusBoard::host_link_constants, &Link::read_megabytes_per_second>,
                     "data that are read from the memory of the host, in 10^6 bytes per second"),
        rate_of_link("host_link.write_megabytes_per_second",
                     in_part<&TorusBoard::host_link_constants, &Link::write_megabytes_per_second>,
                     "data that are written to the memory of the host, in 10^6 bytes per second"),
        latency_of_link(
            "host_link.read_latency_ns", in_part<&TorusBoard::host_link_constants, &Link::read_latency_ns>,
            "from a request in the NIU of the PCIe tile to its first data in the NIU, beyond what L1 takes"),
        latency_of_link("host_link.write_latency_ns",
                        in_part<&TorusBoard::host_link_constants, &Link::write_latency_ns>,
                        "from the last flit that the PCIe tile accepted to the acknowledgement, beyond what L1 takes"),
    };
}

std::vector<Field> memory_fields() {
    using Memory = MemoryConstants;
    return {
        latency("memory.read_latency_cycles", in_part<&TorusBoard::memory_constants, &Memory::read_latency_cycles>,
                "from a request in the NIU to its first data in the NIU, beyond what L1 takes"),
        latency("memory.write_latency_cycles", in_part<&TorusBoard::memory_constants, &Memory::write_latency_cycles>,
                "from the last flit that was accepted to the acknowledgement, beyond what L1 takes"),
        whole("memory.subchannels", "count", 1, 2, in_part<&TorusBoard::memory_constants, &Memory::subchannels>,
              "independent parts of a channel that transfer at the same time; 1: its halves work as one"),
        power_of_two("memory.subchannel_interleave_bytes", "bytes", 4096, 1 << 30,
                     in_part<&TorusBoard::memory_constants, &Memory::subchannel_interleave_bytes>,
                     "addresses change the subchannel after so many bytes"),
        power_of_two("memory.bank_interleave_bytes", "bytes", 4096, 1 << 30,
                     in_part<&TorusBoard::memory_constants, &Memory::bank_interleave_bytes>,
                     "addresses change the DRAM bank after so many bytes"),
        rate("memory.subchannel_read_cycles_per_flit",
             in_part<&TorusBoard::memory_constants, &Memory::subchannel_read_ticks_per_flit>,
             "time of a subchannel to read a flit"),
        rate("memory.subchannel_write_cycles_per_flit",
             in_part<&TorusBoard::memory_constants, &Memory::subchannel_write_ticks_per_flit>,
             "time of a subchannel to write a flit"),
        rate("memory.bank_read_cycles_per_flit",
             in_part<&TorusBoard::memory_constants, &Memory::bank_read_ticks_per_flit>,
             "time of a DRAM bank to read a flit"),
        rate("memory.bank_write_cycles_per_flit",
             in_part<&TorusBoard::memory_constants, &Memory::bank_write_ticks_per_flit>,
             "time of a DRAM bank to write a flit"),
    };
}

std::vector<Field> dram_placement_fields() {
    using Placement = DramPlacementConstants;
    return {
        list("dram_placement.banks", "coordinate", kPlaceMaximum, 1,
             in_part<&TorusBoard::dram_placement_constants, &Placement::banks>,
             "for each bank, as programs number them: its channel, the tile to use on NoC 0 and on NoC 1, and what is "
             "added to addresses within the bank"),
    };
}

std::vector<Field> torus_board_fields() {
    return {
        list("board.harvested_rows", "coordinate", kPlaceMaximum, 0, of_board<&TorusBoard::harvested_rows>,
             "physical y of rows whose Tensix tiles are switched off"),
        list("board.harvested_columns", "coordinate", kPlaceMaximum, 0, of_board<&TorusBoard::harvested_columns>,
             "physical x of columns whose Tensix tiles are switched off"),
        list("board.harvested_dram_channels", "count", kPlaceMaximum, 0, of_board<&TorusBoard::harvested_dram_channels>,
             "DRAM channels that are switched off, counted from 0; the banks of the others close ranks"),
        whole("board.compute_columns", "tiles", 1, kGridMaximum, of_board<&TorusBoard::compute_columns>,
              "columns of the logical grid that programs may use"),
        whole("board.compute_rows", "tiles", 1, kGridMaximum, of_board<&TorusBoard::compute_rows>,
              "rows of the logical grid that programs may use"),
        latency("board.launch_skew_cycles", of_board<&TorusBoard::launch_skew_cycles>,
                "the host starts the kernels of a program core by core, column by column: from one core to the next"),
        text("board.host_link", of_board<&TorusBoard::host_link>,
             "the link to the memory of the host, one of `host_links`"),
        text("board.memory", of_board<&TorusBoard::memory>,
             "the DRAM devices and the state of their firmware, one of `memories`"),
        text("board.dram_placement", of_board<&TorusBoard::dram_placement>,
             "which tiles serve which banks of DRAM, one of `dram_placements`"),
    };
}

/// Copies what machines know of their architecture and their board besides constants.
void complete(Architecture& architecture) {
    TorusArchitecture& torus = torus_of(architecture);
    torus.name = architecture.name;
    torus.root = architecture.root;
    torus.accuracy = architecture.accuracy;
    for (auto& [name, board] : architecture.boards) {
        torus_of(board).name = name;
        torus_of(board).clock_hz = board.clock_hz;
    }
}

std::vector<Field> make_fields() {
    std::vector<Field> table = torus_fields();
    for (const auto& [collection, fields] :
         {std::pair("host_links", host_link_fields()), std::pair("memories", memory_fields()),
          std::pair("dram_placements", dram_placement_fields()), std::pair(kBoards.data(), torus_board_fields())}) {
        std::ranges::copy(in_collection(collection, fields), std::back_inserter(table));
    }
    return table;
}

}  // namespace

const KindDefinition& tensix_torus_kind() {
    static const KindDefinition definition{
        .name = "tensix_torus",
        .constants = TorusArchitecture{},
        .board = TorusBoard{},
        .fields = make_fields(),
        .cross_checks = torus_cross_checks(),
        .flit_bytes = [](const Architecture& architecture) { return torus_of(architecture).router.flit_bytes; },
        .complete = &complete};
    return definition;
}

const TorusArchitecture& torus_of(const Architecture& architecture) {
    return constants_of<TorusArchitecture>(architecture);
}
TorusArchitecture& torus_of(Architecture& architecture) { return constants_of<TorusArchitecture>(architecture); }
const TorusBoard& torus_of(const Board& board) { return constants_of<TorusBoard>(board); }
TorusBoard& torus_of(Board& board) { return constants_of<TorusBoard>(board); }

}  // namespace nocbench
