#include "device_model/arch/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "device_model/arch/field_value.h"

namespace nocbench {

namespace {

constexpr std::int64_t kGridMaximum = 64;  // columns or rows
constexpr std::int64_t kPlaceMaximum = kGridMaximum - 1;
constexpr std::int64_t kTranslatedMaximum = 63;    // coordinates have 6 bits in a NoC address
constexpr std::int64_t kBytesMaximum = 1LL << 36;  // addresses have 36 bits in a NoC address
constexpr std::int64_t kLatencyMaximum = 100'000;  // cycles
constexpr Cycle kStepMaximum = 10'000;             // of a kernel's code
constexpr std::int64_t kCoreIdMaximum = 63;        // rows and columns have 6 bits in the id of an Epiphany core

template <auto Member>
auto& at_top(Architecture& architecture, Board& /*board*/) {
    return architecture.*Member;
}

template <auto Section, auto Member>
auto& in(Architecture& architecture, Board& /*board*/) {
    return architecture.*Section.*Member;
}

template <auto Section, auto Member>
auto& in_epiphany(Architecture& architecture, Board& /*board*/) {
    return architecture.epiphany.*Section.*Member;
}

template <auto Section, auto Member>
auto& in_plain_mesh(Architecture& architecture, Board& /*board*/) {
    return architecture.plain_mesh.*Section.*Member;
}

template <auto Section, auto Member>
auto& in_part(Architecture& /*architecture*/, Board& board) {
    return board.wishbone.*Section.*Member;
}

template <auto Member>
auto& in_host_link(Architecture& /*architecture*/, Board& board) {
    return board.host_link_constants.*Member;
}

template <auto Member>
auto& in_memory(Architecture& /*architecture*/, Board& board) {
    return board.memory_constants.*Member;
}

template <auto Member>
auto& in_dram_placement(Architecture& /*architecture*/, Board& board) {
    return board.dram_placement_constants.*Member;
}

template <auto Member>
auto& of_board(Architecture& /*architecture*/, Board& board) {
    return board.*Member;
}

Field text(std::string_view key, FieldAccess access, std::string_view meaning) {
    return {.key = key, .unit = "", .access = access, .meaning = meaning};
}

Field whole(std::string_view key, std::string_view unit, std::int64_t minimum, std::int64_t maximum, FieldAccess access,
            std::string_view meaning) {
    return {.key = key, .unit = unit, .minimum = minimum, .maximum = maximum, .access = access, .meaning = meaning};
}

Field or_never(std::int64_t never, Field field) {
    field.never = never;
    return field;
}

Field latency(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "cycles", 0, kLatencyMaximum, access, meaning);
}

Field nanoseconds(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "nanoseconds", 0, 1'000'000'000, access, meaning);
}

Field power_of_two(std::string_view key, std::string_view unit, std::int64_t minimum, std::int64_t maximum,
                   FieldAccess access, std::string_view meaning) {
    Field field = whole(key, unit, minimum, maximum, access, meaning);
    field.form = NumberForm::power_of_two;
    return field;
}

Field decimal(std::string_view key, std::string_view unit, Cycle minimum, Cycle maximum, FieldAccess access,
              std::string_view meaning) {
    Field field = whole(key, unit, ticks_from_cycles(minimum), ticks_from_cycles(maximum), access, meaning);
    field.form = NumberForm::decimal_cycles;
    return field;
}

Field list(std::string_view key, std::string_view unit, std::int64_t maximum, std::size_t minimum_items,
           FieldAccess access, std::string_view meaning) {
    Field field = whole(key, unit, 0, maximum, access, meaning);
    field.minimum_items = minimum_items;
    return field;
}

Field risc_cost(std::string_view key, FieldAccess access, std::string_view meaning) {
    return decimal(key, "cycles", 0, kStepMaximum, access, meaning);
}

/// Of an instruction of a compiled kernel: nothing takes no time.
Field instruction_cycles(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "cycles", 1, 1000, access, meaning);
}

Field flag(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "count", 0, 1, access, meaning);
}

Field rate(std::string_view key, FieldAccess access, std::string_view meaning) {
    return decimal(key, "cycles per flit", 1, 1000, access, meaning);
}

/// Of a kernel's code on an Epiphany core: what every loop takes is above zero, so that time passes in it.
Field instruction(std::string_view key, FieldAccess access, std::string_view meaning) {
    return decimal(key, "cycles", 1, kStepMaximum, access, meaning);
}

/// Of the mesh. A link that took no time would have no end of bandwidth.
Field link_cycles(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "cycles", 1, 1000, access, meaning);
}

/// Of the off-chip link.
Field periods(std::string_view key, Cycle minimum, FieldAccess access, std::string_view meaning) {
    return decimal(key, "periods of the link's clock", minimum, kLatencyMaximum, access, meaning);
}

Field transactions(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "transactions", 1, 65'536, access, meaning);
}

Field picoseconds(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "picoseconds", 1, 1'000'000'000, access, meaning);
}

Field clock(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "hertz", 1'000'000, 100'000'000'000, access, meaning);
}

std::vector<Field> top_fields() {
    using A = Architecture;
    return {
        text("architecture", at_top<&A::name>, "name of the architecture, the same as the file's"),
        text("kind", at_top<&A::kind>, "what the machine is built like; it decides which constants there are"),
        text("description", at_top<&A::description>, "one line about the architecture"),
        text("default_board", at_top<&A::default_board>, "the board that is meant where none is named"),
    };
}

std::vector<Field> torus_fields() {
    using A = Architecture;
    using Grid = GridConstants;
    using Router = RouterConstants;
    using Niu = NiuConstants;
    using L1 = L1Constants;
    using Riscv = RiscvConstants;
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
        latency("niu.read_request_hold_cycles", in<&A::niu, &Niu::read_request_hold_cycles>,
                "from a read request in the NIU to the next one of its virtual channel, if nothing but L1 delays the "
                "response"),
        decimal("niu.same_responder_read_interval_cycles", "cycles", 0, kLatencyMaximum,
                in<&A::niu, &Niu::same_responder_read_interval_ticks>,
                "least spacing of reads of one NIU from one responder, unless they are stateful, for NoC 0 and NoC 1"),
        whole("niu.outstanding_reads_max", "packets", 1, 65'536, in<&A::niu, &Niu::outstanding_reads_max>,
              "read packets that one NIU has in flight"),

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

        risc_cost("risc.zone_cycles", in<&A::risc, &Risc::zone_ticks>,
                  "from the start stamp of a profiler zone to the zone's body"),
        risc_cost("risc.write_call_cycles", in<&A::risc, &Risc::write_call_ticks>, "issue interval of unicast writes"),
        risc_cost("risc.read_call_cycles", in<&A::risc, &Risc::read_call_ticks>, "issue interval of reads"),
        risc_cost("risc.set_state_cycles", in<&A::risc, &Risc::set_state_ticks>,
                  "writing the registers that stateful calls have in common"),
        risc_cost("risc.stateful_write_call_cycles", in<&A::risc, &Risc::stateful_write_call_ticks>,
                  "issue interval of stateful writes"),
        risc_cost("risc.stateful_read_call_cycles", in<&A::risc, &Risc::stateful_read_call_ticks>,
                  "issue interval of stateful reads"),
        risc_cost("risc.write_new_target_cycles", in<&A::risc, &Risc::write_new_target_ticks>,
                  "what a write to another target than the one before takes longer"),
        risc_cost("risc.read_new_target_cycles", in<&A::risc, &Risc::read_new_target_ticks>,
                  "what a read from another target than the one before takes longer"),
        risc_cost("risc.write_first_repeat_cycles", in<&A::risc, &Risc::write_first_repeat_ticks>,
                  "what the second of several writes to a target takes longer"),
        risc_cost("risc.read_first_repeat_cycles", in<&A::risc, &Risc::read_first_repeat_ticks>,
                  "what the second of several reads from a target takes longer"),
        risc_cost("risc.register_load_cycles", in<&A::risc, &Risc::register_load_ticks>,
                  "a load from a register of the NIU"),
        risc_cost("risc.register_return_cycles", in<&A::risc, &Risc::register_return_ticks>,
                  "part of such a load after the register has been read"),
        risc_cost("risc.barrier_poll_cycles", in<&A::risc, &Risc::barrier_poll_ticks>,
                  "period of the loop that polls a counter of the NIU"),
        risc_cost("risc.barrier_exit_cycles", in<&A::risc, &Risc::barrier_exit_ticks>,
                  "from the load that ends a barrier's poll to the code after the barrier"),
        risc_cost("risc.argument_load_cycles", in<&A::risc, &Risc::argument_load_ticks>, "reading a runtime argument"),
        risc_cost("risc.first_argument_load_cycles", in<&A::risc, &Risc::first_argument_load_ticks>,
                  "the first load of a runtime argument by a kernel"),
        risc_cost("risc.address_cycles", in<&A::risc, &Risc::address_ticks>, "building a NoC address"),
        risc_cost("risc.l1_load_cycles", in<&A::risc, &Risc::l1_load_ticks>, "a load from L1"),
        risc_cost("risc.l1_store_cycles", in<&A::risc, &Risc::l1_store_ticks>, "interval of stores to L1"),
        risc_cost("risc.semaphore_call_cycles", in<&A::risc, &Risc::semaphore_call_ticks>,
                  "issue interval of atomic increments"),
        risc_cost("risc.circular_buffer_call_cycles", in<&A::risc, &Risc::circular_buffer_call_ticks>,
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
        instruction_cycles("riscv.cache_hit_cycles", in<&A::riscv, &Riscv::cache_hit_cycles>,
                           "a load from the L0 data cache, until the next instruction can use it"),
        latency("riscv.zone_cycles", in<&A::riscv, &Riscv::zone_cycles>,
                "the time stamp at the start or the end of a profiler zone, and a recorded value"),
        latency("riscv.print_cycles", in<&A::riscv, &Riscv::print_cycles>, "each value that a kernel prints"),

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
                "time in which a burst is read, changed and written, and other writes to it wait"),

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

std::vector<Field> epiphany_fields() {
    using E = EpiphanyConstants;
    using Mesh = MeshConstants;
    using Core = EpiphanyCoreConstants;
    using Dma = DmaConstants;
    using Elink = ElinkConstants;
    using Host = HostConstants;

    return {
        decimal("mesh.hop_cycles", "cycles", 1, 1000, in_epiphany<&E::mesh, &Mesh::hop_ticks>,
                "from router to router; a multiple of half a cycle"),
        link_cycles("mesh.on_chip_write_cycles", in_epiphany<&E::mesh, &Mesh::on_chip_write_cycles>,
                    "time that a write within the chip, or a reply to a read, takes a link"),
        link_cycles("mesh.off_chip_write_cycles", in_epiphany<&E::mesh, &Mesh::off_chip_write_cycles>,
                    "time that a write off the chip takes a link"),
        link_cycles("mesh.read_request_cycles", in_epiphany<&E::mesh, &Mesh::read_request_cycles>,
                    "time that a read request takes a link"),
        decimal("mesh.buffer_cycles", "cycles", 1, 1000, in_epiphany<&E::mesh, &Mesh::buffer_ticks>,
                "room at each input port of a router, in time of its link"),
        decimal("mesh.credit_return_cycles", "cycles", 0, 1000, in_epiphany<&E::mesh, &Mesh::credit_return_ticks>,
                "from data leaving an input port to the router before knowing of it"),
        decimal("mesh.injection_cycles", "cycles", 0, 1000, in_epiphany<&E::mesh, &Mesh::injection_ticks>,
                "from core to router"),
        decimal("mesh.ejection_cycles", "cycles", 0, 1000, in_epiphany<&E::mesh, &Mesh::ejection_ticks>,
                "from router to core"),
        whole("mesh.reads_follow_writes", "count", 0, 1, in_epiphany<&E::mesh, &Mesh::reads_follow_writes>,
              "1: a read waits for earlier writes of its core to the same memory; 0: it can overtake them"),

        power_of_two("core.memory_bytes", "bytes", 1024, 1 << 20, in_epiphany<&E::core, &Core::memory_bytes>,
                     "local memory of a core"),
        power_of_two("core.memory_banks", "count", 1, 64, in_epiphany<&E::core, &Core::memory_banks>,
                     "banks of that memory"),
        instruction("core.instruction_cycles", in_epiphany<&E::core, &Core::instruction_ticks>,
                    "an integer instruction"),
        instruction("core.load_cycles", in_epiphany<&E::core, &Core::load_ticks>, "issue of a load"),
        risc_cost("core.local_load_use_cycles", in_epiphany<&E::core, &Core::local_load_use_ticks>,
                  "from the issue of a load of local memory to the first use of what it loads, beyond load_cycles"),
        instruction("core.store_cycles", in_epiphany<&E::core, &Core::store_ticks>, "issue of a store"),
        risc_cost("core.taken_branch_cycles", in_epiphany<&E::core, &Core::taken_branch_ticks>,
                  "what a branch that is taken takes beyond its instruction"),
        risc_cost("core.float_cycles", in_epiphany<&E::core, &Core::float_ticks>,
                  "from the issue of a floating-point instruction to the first use of its result"),
        risc_cost("core.float_user_cycles", in_epiphany<&E::core, &Core::float_user_ticks>,
                  "so much earlier than others a floating-point instruction needs its operands"),
        instruction("core.divide_cycles", in_epiphany<&E::core, &Core::divide_ticks>,
                    "an integer division, if a program does not bring its own routine for it"),
        instruction("core.float_divide_cycles", in_epiphany<&E::core, &Core::float_divide_ticks>,
                    "the same of a floating-point division or square root"),
        risc_cost("core.remote_read_cycles", in_epiphany<&E::core, &Core::remote_read_ticks>,
                  "at the target of a read: from taking its request in to sending the reply"),
        risc_cost("core.read_recovery_cycles", in_epiphany<&E::core, &Core::read_recovery_ticks>,
                  "at the target of a read: from taking its request in to being ready for the next one"),
        risc_cost("core.testset_cycles", in_epiphany<&E::core, &Core::testset_ticks>,
                  "what a TESTSET takes its target beyond a read"),
        risc_cost("core.interrupt_cycles", in_epiphany<&E::core, &Core::interrupt_ticks>,
                  "from the request of an interrupt to the first instruction of its handler"),
        risc_cost("core.wired_and_cycles", in_epiphany<&E::core, &Core::wired_and_ticks>,
                  "from the WAND of the last core to the interrupt at all of them"),
        risc_cost("core.barrier_step_cycles", in_epiphany<&E::core, &Core::barrier_step_ticks>,
                  "of the vendor's barrier: a turn of the loops of its first core, beyond its load or store"),
        risc_cost("core.barrier_round_cycles", in_epiphany<&E::core, &Core::barrier_round_ticks>,
                  "of a dissemination barrier: a round of it, beyond its store and its wait"),
        risc_cost("core.warm_call_cycles", in_epiphany<&E::core, &Core::warm_call_ticks>,
                  "a call to a routine between two reads of the timer, if its code was in use before"),
        risc_cost("core.cold_call_cycles", in_epiphany<&E::core, &Core::cold_call_ticks>,
                  "the same after the core was idle"),

        whole("dma.channels", "count", 1, 2, in_epiphany<&E::dma, &Dma::channels>, "channels of a core's DMA engine"),
        risc_cost("dma.setup_cycles", in_epiphany<&E::dma, &Dma::setup_ticks>,
                  "filling a descriptor and starting a channel, until data begin to move"),
        risc_cost("dma.setup_tail_cycles", in_epiphany<&E::dma, &Dma::setup_tail_ticks>,
                  "from there to the core's first look at the status of the channel"),
        risc_cost("dma.poll_cycles", in_epiphany<&E::dma, &Dma::poll_ticks>,
                  "what one look at the status takes beyond the load itself"),
        decimal("dma.write_interval_cycles", "cycles", 1, 1000, in_epiphany<&E::dma, &Dma::write_interval_ticks>,
                "least spacing of the writes of an engine"),
        decimal("dma.erratum_write_interval_cycles", "cycles", 1, 1000,
                in_epiphany<&E::dma, &Dma::erratum_write_interval_ticks>,
                "the same on silicon with the erratum that throttles DMA"),
        whole("dma.has_throttling_erratum", "count", 0, 1, in_epiphany<&E::dma, &Dma::has_throttling_erratum>,
              "1: erratum_write_interval_cycles counts; 0: write_interval_cycles does"),
        transactions("dma.outstanding_reads_max", in_epiphany<&E::dma, &Dma::outstanding_reads_max>,
                     "reads that an engine has in flight"),

        clock("elink.clock_hz", in_epiphany<&E::elink, &Elink::clock_hz>,
              "clock of the FPGA behind the off-chip link, which serves transactions in its own time"),
        periods("elink.single_write_periods", 1, in_epiphany<&E::elink, &Elink::single_write_ticks>,
                "service of a write of a core that continues no burst"),
        periods("elink.dma_single_write_periods", 1, in_epiphany<&E::elink, &Elink::dma_single_write_ticks>,
                "service of a write of a DMA engine that continues no burst"),
        periods("elink.burst_write_periods", 1, in_epiphany<&E::elink, &Elink::burst_write_ticks>,
                "service of a write that continues a burst of ascending addresses"),
        periods("elink.dma_burst_write_periods", 1, in_epiphany<&E::elink, &Elink::dma_burst_write_ticks>,
                "service of a write of a DMA engine that does"),
        periods("elink.read_periods", 1, in_epiphany<&E::elink, &Elink::read_ticks>, "service of a read of a core"),
        periods("elink.dma_read_periods", 1, in_epiphany<&E::elink, &Elink::dma_read_ticks>,
                "service of a read of a DMA engine"),
        periods("elink.read_latency_periods", 0, in_epiphany<&E::elink, &Elink::read_latency_ticks>,
                "from a read request at the link to its data at the link"),
        periods("elink.same_engine_read_interval_periods", 0,
                in_epiphany<&E::elink, &Elink::same_engine_read_interval_ticks>,
                "least spacing of the data that one DMA engine reads"),
        transactions("elink.write_buffer_transactions", in_epiphany<&E::elink, &Elink::write_buffer_transactions>,
                     "single writes that wait before the link pushes back"),
        transactions("elink.burst_buffer_transactions", in_epiphany<&E::elink, &Elink::burst_buffer_transactions>,
                     "writes of a burst that wait before the link pushes back"),
        transactions("elink.dma_burst_buffer_transactions",
                     in_epiphany<&E::elink, &Elink::dma_burst_buffer_transactions>,
                     "the same of those of a DMA engine, which are not interrupted"),
        periods("elink.burst_restart_periods", 0, in_epiphany<&E::elink, &Elink::burst_restart_ticks>,
                "from the link pushing a burst back to the burst going on"),
        transactions("elink.read_buffer_transactions", in_epiphany<&E::elink, &Elink::read_buffer_transactions>,
                     "read requests that wait before the link pushes back"),
        whole("elink.external_memory_bytes", "bytes", 1, 1 << 30, in_epiphany<&E::elink, &Elink::external_memory_bytes>,
              "memory that cores reach through the link"),

        power_of_two("host.access_bytes", "bytes", 1, kDwordBytes, in_epiphany<&E::host, &Host::access_bytes>,
                     "what the host moves at once"),
        picoseconds("host.external_read_picoseconds", in_epiphany<&E::host, &Host::external_read_picoseconds>,
                    "an access of the host that reads external memory"),
        picoseconds("host.external_write_picoseconds", in_epiphany<&E::host, &Host::external_write_picoseconds>,
                    "an access of the host that writes external memory"),
        picoseconds("host.core_read_picoseconds", in_epiphany<&E::host, &Host::core_read_picoseconds>,
                    "an access of the host that reads the memory of a core"),
        picoseconds("host.core_write_picoseconds", in_epiphany<&E::host, &Host::core_write_picoseconds>,
                    "an access of the host that writes the memory of a core"),
    };
}

std::vector<Field> board_fields() {
    return {
        text("board.description", of_board<&Board::description>, "one line about the board"),
        clock("board.clock_hz", of_board<&Board::clock_hz>, "clock of the tiles"),
    };
}

std::vector<Field> torus_board_fields() {
    return {
        list("board.harvested_rows", "coordinate", kPlaceMaximum, 0, of_board<&Board::harvested_rows>,
             "physical y of rows whose Tensix tiles are switched off"),
        list("board.harvested_columns", "coordinate", kPlaceMaximum, 0, of_board<&Board::harvested_columns>,
             "physical x of columns whose Tensix tiles are switched off"),
        list("board.harvested_dram_channels", "count", kPlaceMaximum, 0, of_board<&Board::harvested_dram_channels>,
             "DRAM channels that are switched off, counted from 0; the banks of the others close ranks"),
        whole("board.compute_columns", "tiles", 1, kGridMaximum, of_board<&Board::compute_columns>,
              "columns of the logical grid that programs may use"),
        whole("board.compute_rows", "tiles", 1, kGridMaximum, of_board<&Board::compute_rows>,
              "rows of the logical grid that programs may use"),
        latency("board.launch_skew_cycles", of_board<&Board::launch_skew_cycles>,
                "the host starts the kernels of a program core by core, column by column: from one core to the next"),
        text("board.host_link", of_board<&Board::host_link>, "the link to the memory of the host, one of `host_links`"),
        text("board.memory", of_board<&Board::memory>,
             "the DRAM devices and the state of their firmware, one of `memories`"),
        text("board.dram_placement", of_board<&Board::dram_placement>,
             "which tiles serve which banks of DRAM, one of `dram_placements`"),
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
        rate_of_link("host_link.read_megabytes_per_second", in_host_link<&Link::read_megabytes_per_second>,
                     "data that are read from the memory of the host, in 10^6 bytes per second"),
        rate_of_link("host_link.write_megabytes_per_second", in_host_link<&Link::write_megabytes_per_second>,
                     "data that are written to the memory of the host, in 10^6 bytes per second"),
        latency_of_link(
            "host_link.read_latency_ns", in_host_link<&Link::read_latency_ns>,
            "from a request in the NIU of the PCIe tile to its first data in the NIU, beyond what L1 takes"),
        latency_of_link("host_link.write_latency_ns", in_host_link<&Link::write_latency_ns>,
                        "from the last flit that the PCIe tile accepted to the acknowledgement, beyond what L1 takes"),
    };
}

std::vector<Field> memory_fields() {
    using Memory = MemoryConstants;
    return {
        latency("memory.read_latency_cycles", in_memory<&Memory::read_latency_cycles>,
                "from a request in the NIU to its first data in the NIU, beyond what L1 takes"),
        latency("memory.write_latency_cycles", in_memory<&Memory::write_latency_cycles>,
                "from the last flit that was accepted to the acknowledgement, beyond what L1 takes"),
        whole("memory.subchannels", "count", 1, 2, in_memory<&Memory::subchannels>,
              "independent parts of a channel that transfer at the same time; 1: its halves work as one"),
        power_of_two("memory.subchannel_interleave_bytes", "bytes", 4096, 1 << 30,
                     in_memory<&Memory::subchannel_interleave_bytes>,
                     "addresses change the subchannel after so many bytes"),
        power_of_two("memory.bank_interleave_bytes", "bytes", 4096, 1 << 30, in_memory<&Memory::bank_interleave_bytes>,
                     "addresses change the DRAM bank after so many bytes"),
        rate("memory.subchannel_read_cycles_per_flit", in_memory<&Memory::subchannel_read_ticks_per_flit>,
             "time of a subchannel to read a flit"),
        rate("memory.subchannel_write_cycles_per_flit", in_memory<&Memory::subchannel_write_ticks_per_flit>,
             "time of a subchannel to write a flit"),
        rate("memory.bank_read_cycles_per_flit", in_memory<&Memory::bank_read_ticks_per_flit>,
             "time of a DRAM bank to read a flit"),
        rate("memory.bank_write_cycles_per_flit", in_memory<&Memory::bank_write_ticks_per_flit>,
             "time of a DRAM bank to write a flit"),
    };
}

std::vector<Field> dram_placement_fields() {
    using Placement = DramPlacementConstants;
    return {
        list("dram_placement.banks", "coordinate", kPlaceMaximum, 1, in_dram_placement<&Placement::banks>,
             "for each bank, as programs number them: its channel, the tile to use on NoC 0 and on NoC 1, and what is "
             "added to addresses within the bank"),
    };
}

std::vector<Field> epiphany_board_fields() {
    return {
        whole("board.columns", "tiles", 1, kGridMaximum, of_board<&Board::columns>, "columns of cores"),
        whole("board.rows", "tiles", 1, kGridMaximum, of_board<&Board::rows>, "rows of cores"),
        whole("board.first_core_row", "coordinate", 0, kCoreIdMaximum, of_board<&Board::first_core_row>,
              "row in the id of the core in the north-west corner"),
        whole("board.first_core_column", "coordinate", 0, kCoreIdMaximum, of_board<&Board::first_core_column>,
              "column in the id of the core in the north-west corner"),
    };
}

std::vector<Field> wishbone_board_fields() {
    return {
        text("board.host", of_board<&Board::host>, "the computer, one of `hosts`"),
        text("board.bridge", of_board<&Board::bridge>, "what joins it to the FPGA, one of `bridges`"),
        text("board.fpga", of_board<&Board::fpga>, "the FPGA, one of `fpgas`"),
        whole("board.switches", "count", 0, 100, of_board<&Board::switches>, "network switches on the way"),
        whole("board.fibre_metres", "metres", 0, 1'000'000, of_board<&Board::fibre_metres>,
              "length of the way, in fibre or cable"),
    };
}

std::vector<Field> bridge_host_fields() {
    using W = WishboneConstants;
    using Host = BridgeHostConstants;
    return {
        nanoseconds("host.library_operation_ns", in_part<&W::host, &Host::library_operation_ns>,
                    "the library: a read or write that is added to a cycle"),
        nanoseconds("host.library_cycle_ns", in_part<&W::host, &Host::library_cycle_ns>,
                    "the library: a cycle, from its opening to its callback"),
        nanoseconds("host.system_call_ns", in_part<&W::host, &Host::system_call_ns>,
                    "a call of the operating system that has nothing to wait for"),
        nanoseconds("host.driver_ns", in_part<&W::host, &Host::driver_ns>,
                    "a message through a character device, from the call that writes it to the one that reads the "
                    "answer, beyond these calls and all that the bridge takes"),
        nanoseconds("host.network_ns", in_part<&W::host, &Host::network_ns>,
                    "the same through the network's stack and card"),
        nanoseconds("host.interrupt_interval_ns", in_part<&W::host, &Host::interrupt_interval_ns>,
                    "least time between two interrupts of the USB controller"),
        nanoseconds("host.word_read_ns", in_part<&W::host, &Host::word_read_ns>,
                    "a word that the processor reads from the FPGA over its bus, with nothing else under way"),
    };
}

std::vector<Field> bridge_fields() {
    using W = WishboneConstants;
    using Bridge = BridgeConstants;
    return {
        flag("bridge.carries_datagrams", in_part<&W::bridge, &Bridge::carries_datagrams>,
             "1: messages are datagrams of the network; 0: they are a stream through a character device"),
        flag("bridge.executes_in_driver", in_part<&W::bridge, &Bridge::executes_in_driver>,
             "1: the host's driver is the Etherbone slave, and reads word by word; 0: the slave is in the FPGA"),
        flag("bridge.driver_reads_answers", in_part<&W::bridge, &Bridge::driver_reads_answers>,
             "1: the driver reads an answer word by word; 0: the FPGA sends it"),
        flag("bridge.completes_by_interrupt", in_part<&W::bridge, &Bridge::completes_by_interrupt>,
             "1: transfers end with an interrupt of the host's USB controller; 0: they do not"),
        flag("bridge.directions_share", in_part<&W::bridge, &Bridge::directions_share>,
             "1: requests and answers take turns on the wire; 0: each has its own"),
        nanoseconds("bridge.byte_ns", in_part<&W::bridge, &Bridge::byte_ns>, "a byte on the wire"),
        whole("bridge.frame_head_bytes", "bytes", 0, 1000, in_part<&W::bridge, &Bridge::frame_head_bytes>,
              "what a frame has on the wire before its payload"),
        whole("bridge.frame_tail_bytes", "bytes", 0, 1000, in_part<&W::bridge, &Bridge::frame_tail_bytes>,
              "what a frame has on the wire behind its payload, the gap to the next one included"),
        whole("bridge.frame_payload_bytes_min", "bytes", 0, 1000, in_part<&W::bridge, &Bridge::frame_payload_bytes_min>,
              "a payload that is shorter is padded"),
        whole("bridge.message_bytes_max", "bytes", 64, 65'507, in_part<&W::bridge, &Bridge::message_bytes_max>,
              "the longest datagram; of a stream, what the library hands over at once"),
        nanoseconds("bridge.latency_ns", in_part<&W::bridge, &Bridge::latency_ns>,
                    "each way: hardware of the bridge, beyond what else is listed"),
        nanoseconds("bridge.switch_ns", in_part<&W::bridge, &Bridge::switch_ns>, "each way: a switch"),
        whole("bridge.fibre_picoseconds_per_metre", "picoseconds", 0, 100'000,
              in_part<&W::bridge, &Bridge::fibre_picoseconds_per_metre>, "each way: a metre of fibre"),
    };
}

std::vector<Field> fpga_fields() {
    using W = WishboneConstants;
    using Fpga = FpgaConstants;
    const auto cycles = [](std::string_view key, std::int64_t minimum, FieldAccess access, std::string_view meaning) {
        return whole(key, "cycles", minimum, kLatencyMaximum, access, meaning);
    };
    return {
        cycles("fpga.slave_word_cycles", 1, in_part<&W::fpga, &Fpga::slave_word_cycles>,
               "the Etherbone slave: from one word that it takes to the next"),
        cycles("fpga.answer_cycles", 0, in_part<&W::fpga, &Fpga::answer_cycles>,
               "the Etherbone slave: from a word of a request to that of the answer, if it asks nothing of the bus"),
        whole("fpga.operations_in_flight_max", "count", 1, 1000, in_part<&W::fpga, &Fpga::operations_in_flight_max>,
              "operations of the bus that the slave has under way at most"),
        cycles("fpga.crossbar_cycles", 0, in_part<&W::fpga, &Fpga::crossbar_cycles>,
               "each way between the slave and a device"),
        cycles("fpga.memory_cycles", 1, in_part<&W::fpga, &Fpga::memory_cycles>,
               "memory: from an access to its acknowledgement"),
        cycles("fpga.register_cycles", 1, in_part<&W::fpga, &Fpga::register_cycles>,
               "devices with registers: from an access to its acknowledgement"),
        cycles("fpga.configuration_cycles", 0, in_part<&W::fpga, &Fpga::configuration_cycles>,
               "the slave's own registers: from an access to its acknowledgement"),
        power_of_two("fpga.memory_bytes", "bytes", 1024, 1 << 17, in_part<&W::fpga, &Fpga::memory_bytes>,
                     "block RAM on the bus"),
    };
}

std::vector<Field> plain_mesh_fields() {
    using M = PlainMeshConstants;
    using Router = MeshRouterConstants;
    using Tile = MeshTileConstants;
    // A flit that left a router in the cycle in which it was sent would make the order of routers matter.
    const auto way = [](std::string_view key, FieldAccess access, std::string_view meaning) {
        return whole(key, "cycles", 1, 100, access, meaning);
    };
    const auto pause = [](std::string_view key, FieldAccess access, std::string_view meaning) {
        return whole(key, "cycles", 0, 1000, access, meaning);
    };
    const auto turns = [](std::string_view key, FieldAccess access, std::string_view meaning) {
        return list(key, "port", Router::kNumPorts - 1, Router::kNumPorts, access, meaning);
    };
    return {
        power_of_two("router.flit_bytes", "bytes", 4, 4096, in_plain_mesh<&M::router, &Router::flit_bytes>,
                     "data that a link moves at once"),
        power_of_two("router.virtual_channels", "count", 1, 8, in_plain_mesh<&M::router, &Router::virtual_channels>,
                     "of a link; a packet takes any that is free"),
        whole("router.buffer_flits", "flits", 1, 31, in_plain_mesh<&M::router, &Router::buffer_flits>,
              "buffer of a virtual channel, at the input port of a router"),
        way("router.hop_cycles", in_plain_mesh<&M::router, &Router::hop_cycles>,
            "from one router's output to the next router's input buffer"),
        way("router.credit_return_cycles", in_plain_mesh<&M::router, &Router::credit_return_cycles>,
            "from a flit leaving an input buffer to its credit at the upstream router"),
        pause("router.turn_cycles", in_plain_mesh<&M::router, &Router::turn_cycles>,
              "from the grant of an output to the header of a packet that does not come straight to it"),
        pause("router.release_cycles", in_plain_mesh<&M::router, &Router::release_cycles>,
              "from a tail to the next grant of its output; 0: in the same cycle, to a packet that waits already"),
        flag("router.rests_at_straight_input", in_plain_mesh<&M::router, &Router::rests_at_straight_input>,
             "1: an output that is free goes at once to a packet that comes straight and can leave, and turns begin "
             "after its input port; 0: turns begin after the port of the last packet"),
        whole("router.straight_input_of_tile", "port", 0, Router::kNumPorts - 1,
              in_plain_mesh<&M::router, &Router::straight_input_of_tile>,
              "input port from which packets come straight to the tile; 0: from the tile itself, 1 to 4: of packets "
              "that travel right, left, down or up"),
        turns("router.turns_at_links", in_plain_mesh<&M::router, &Router::turns_at_links>,
              "input ports, numbered in the same way, in the order of their turns at outputs to other routers"),
        turns("router.turns_at_tile", in_plain_mesh<&M::router, &Router::turns_at_tile>,
              "the same at the output to the tile"),

        way("tile.injection_cycles", in_plain_mesh<&M::tile, &Tile::injection_cycles>,
            "from the creation of a packet to its header in the router, with nothing in its way"),
        whole("tile.injection_buffer_flits", "flits", 1, 31, in_plain_mesh<&M::tile, &Tile::injection_buffer_flits>,
              "buffer of a virtual channel, at the input port from the tile"),
        latency("tile.ejection_cycles", in_plain_mesh<&M::tile, &Tile::ejection_cycles>,
                "from the router's output to the receiver"),
    };
}

std::vector<Field> plain_mesh_board_fields() {
    return {
        whole("board.columns", "tiles", 1, kGridMaximum, of_board<&Board::columns>, "columns of routers"),
        whole("board.rows", "tiles", 1, kGridMaximum, of_board<&Board::rows>, "rows of routers"),
    };
}

/// Each kind's fields in the order of its files.
std::vector<Field> make_fields() {
    std::vector<Field> table;
    const auto add = [&](std::optional<ArchitectureKind> kind, std::vector<Field> fields,
                         std::string_view collection = {}) {
        for (Field& field : fields) {
            field.kind = kind;
            field.collection = collection;
        }
        table.insert(table.end(), fields.begin(), fields.end());
    };
    add(std::nullopt, top_fields());
    add(ArchitectureKind::tensix_torus, torus_fields());
    add(ArchitectureKind::epiphany_mesh, epiphany_fields());
    add(ArchitectureKind::wishbone_bridge, bridge_host_fields(), "hosts");
    add(ArchitectureKind::wishbone_bridge, bridge_fields(), "bridges");
    add(ArchitectureKind::wishbone_bridge, fpga_fields(), "fpgas");
    add(ArchitectureKind::tensix_torus, host_link_fields(), "host_links");
    add(ArchitectureKind::plain_mesh, plain_mesh_fields());
    add(ArchitectureKind::tensix_torus, memory_fields(), "memories");
    add(ArchitectureKind::tensix_torus, dram_placement_fields(), "dram_placements");
    add(std::nullopt, board_fields(), kBoards);
    add(ArchitectureKind::tensix_torus, torus_board_fields(), kBoards);
    add(ArchitectureKind::epiphany_mesh, epiphany_board_fields(), kBoards);
    add(ArchitectureKind::wishbone_bridge, wishbone_board_fields(), kBoards);
    add(ArchitectureKind::plain_mesh, plain_mesh_board_fields(), kBoards);
    return table;
}

std::map<ArchitectureKind, std::vector<Field>> make_fields_by_kind() {
    const std::vector<Field> table = make_fields();
    std::map<ArchitectureKind, std::vector<Field>> by_kind;
    for (const ArchitectureKind kind : architecture_kinds()) {
        std::ranges::copy_if(table, std::back_inserter(by_kind[kind]),
                             [&](const Field& field) { return field.is_of(kind); });
    }
    return by_kind;
}

}  // namespace

std::string_view Field::section() const {
    const std::size_t dot = key.find('.');
    return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}

std::string_view Field::name() const {
    const std::size_t dot = key.find('.');
    return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

std::span<const Field> fields(ArchitectureKind kind) {
    static const std::map<ArchitectureKind, std::vector<Field>> by_kind = make_fields_by_kind();
    return by_kind.at(kind);
}

const Field* find_field(std::string_view key, ArchitectureKind kind) {
    const std::span<const Field> table = fields(kind);
    const auto found = std::ranges::find(table, key, &Field::key);
    return found == table.end() ? nullptr : &*found;
}

const std::string& part_of(const Field& field, Architecture& architecture, Board& board) {
    const Field& choice = *find_field(fmt::format("board.{}", field.section()), architecture.kind);
    const auto access = std::get<FieldAccessor<std::string>>(choice.access);
    return access(architecture, board);
}

std::string_view collection_named_by(const Field& field, ArchitectureKind kind) {
    for (const Field& other : fields(kind)) {
        if (!other.collection.empty() && !other.is_of_board() && field.is_of_board() &&
            field.name() == other.section()) {
            return other.collection;
        }
    }
    return {};
}

void compose(Architecture& architecture, Board& board, std::string_view collection) {
    for (const Field& field : fields(architecture.kind)) {
        if (field.collection.empty() || field.is_of_board() ||
            (!collection.empty() && field.collection != collection)) {
            continue;
        }
        const auto parts = architecture.parts.find(field.collection);
        if (parts == architecture.parts.end()) {
            continue;
        }
        const auto part = std::ranges::find(parts->second, part_of(field, architecture, board), &Board::name);
        if (part != parts->second.end()) {
            std::visit([&](auto access) { access(architecture, board) = access(architecture, *part); }, field.access);
        }
    }
}

std::vector<FieldReport> report_fields(const Architecture& architecture, const std::string& board_name) {
    Architecture machine = architecture;  // accessors hand out references through which one could write
    Board board = architecture.board(board_name);
    std::vector<FieldReport> report;
    for (const Field& field : fields(architecture.kind)) {
        report.push_back({field.key, value_text(field, machine, board), field.unit, field.meaning});
    }
    return report;
}

}  // namespace nocbench
