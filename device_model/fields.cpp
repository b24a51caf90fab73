#include "device_model/fields.h"

#include <algorithm>

#include "device_model/field_value.h"

namespace nocbench {

namespace {

constexpr std::int64_t kGridMaximum = 64;          // columns or rows
constexpr std::int64_t kTranslatedMaximum = 63;    // coordinates have 6 bits in a NoC address
constexpr std::int64_t kBytesMaximum = 1LL << 36;  // addresses have 36 bits in a NoC address
constexpr std::int64_t kLatencyMaximum = 100'000;  // cycles

template <auto Member>
auto& at_top(Architecture& architecture, Board& /*board*/) {
    return architecture.*Member;
}

template <auto Section, auto Member>
auto& in(Architecture& architecture, Board& /*board*/) {
    return architecture.*Section.*Member;
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

Field latency(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "cycles", 0, kLatencyMaximum, access, meaning);
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
    return decimal(key, "cycles", 0, 10'000, access, meaning);
}

Field rate(std::string_view key, FieldAccess access, std::string_view meaning) {
    return decimal(key, "cycles per flit", 1, 1000, access, meaning);
}

std::vector<Field> make_fields() {
    using A = Architecture;
    using Grid = GridConstants;
    using Router = RouterConstants;
    using Niu = NiuConstants;
    using L1 = L1Constants;
    using Risc = RiscConstants;
    using Dram = DramConstants;
    constexpr std::int64_t kPlaceMaximum = kGridMaximum - 1;

    return {
        text("architecture", at_top<&A::name>, "name of the architecture, the same as the file's"),
        text("description", at_top<&A::description>, "one line about the architecture"),
        text("default_board", at_top<&A::default_board>, "the board that is meant where none is named"),

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
        whole("router.max_packet_data_flits", "flits", 1, 65'536, in<&A::router, &Router::max_packet_data_flits>,
              "most data flits of a packet, its header not counted"),
        whole("router.hop_cycles", "cycles", 1, 1000, in<&A::router, &Router::hop_cycles>,
              "from one router's output arbiter to the next router's input buffer"),
        whole("router.credit_return_cycles", "cycles", 1, 1000, in<&A::router, &Router::credit_return_cycles>,
              "from a flit leaving an input buffer to its credit at the upstream router"),
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
        whole("niu.concurrent_requests", "packets", 1, 64, in<&A::niu, &Niu::concurrent_requests>,
              "read requests that a NIU takes in before it pushes back into the network"),
        latency("niu.read_turnaround_cycles", in<&A::niu, &Niu::read_turnaround_cycles>,
                "from a read request in the NIU to the read of L1"),
        decimal("niu.same_responder_read_interval_cycles", "cycles", 0, kLatencyMaximum,
                in<&A::niu, &Niu::same_responder_read_interval_ticks>,
                "least spacing of reads of one NIU from one responder"),
        whole("niu.outstanding_reads_max", "packets", 1, 65'536, in<&A::niu, &Niu::outstanding_reads_max>,
              "read packets that one NIU has in flight"),

        whole("l1.size_bytes", "bytes", 1, kBytesMaximum, in<&A::l1, &L1::size_bytes>, "L1 memory of a Tensix tile"),
        whole("l1.reserved_bytes", "bytes", 0, kBytesMaximum, in<&A::l1, &L1::reserved_bytes>,
              "part from address 0 that belongs to the firmware"),
        power_of_two("l1.alignment_bytes", "bytes", 1, 4096, in<&A::l1, &L1::alignment_bytes>,
                     "alignment of addresses for NoC transactions"),
        latency("l1.read_latency_cycles", in<&A::l1, &L1::read_latency_cycles>,
                "from the NIU asking L1 to the first flit in the NIU"),
        latency("l1.write_latency_cycles", in<&A::l1, &L1::write_latency_cycles>,
                "from the last flit in the NIU to its data committed in L1"),

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

        list("dram.channel_tiles", "coordinate", kPlaceMaximum, 1, in<&A::dram, &Dram::channel_tiles>,
             "for each channel the tiles that reach it; channels may share tiles"),
        list("dram.banks", "coordinate", kPlaceMaximum, 1, in<&A::dram, &Dram::banks>,
             "for each bank, as programs number them: its channel, the tile to use on NoC 0 and on NoC 1, and what is "
             "added to addresses within the bank"),
        whole("dram.bank_size_bytes", "bytes", 1, kBytesMaximum, in<&A::dram, &Dram::bank_size_bytes>,
              "memory of a bank"),
        whole("dram.unreserved_base_bytes", "bytes", 0, 1 << 30, in<&A::dram, &Dram::unreserved_base_bytes>,
              "where the buffers of programs begin in a bank"),
        power_of_two("dram.read_alignment_bytes", "bytes", 1, 4096, in<&A::dram, &Dram::read_alignment_bytes>,
                     "alignment of addresses that are read"),
        power_of_two("dram.write_alignment_bytes", "bytes", 1, 4096, in<&A::dram, &Dram::write_alignment_bytes>,
                     "alignment of addresses that are written"),
        latency("dram.read_latency_cycles", in<&A::dram, &Dram::read_latency_cycles>,
                "from a request in the NIU to its first data in the NIU, beyond what L1 takes"),
        latency("dram.write_latency_cycles", in<&A::dram, &Dram::write_latency_cycles>,
                "from the last flit that was accepted to the acknowledgement, beyond what L1 takes"),
        whole("dram.subchannels", "count", 1, 2, in<&A::dram, &Dram::subchannels>,
              "independent halves of a channel that transfer at the same time"),
        power_of_two("dram.subchannel_interleave_bytes", "bytes", 4096, 1 << 30,
                     in<&A::dram, &Dram::subchannel_interleave_bytes>,
                     "addresses change the subchannel after so many bytes"),
        whole("dram.banks_per_subchannel", "count", 1, 64, in<&A::dram, &Dram::banks_per_subchannel>,
              "DRAM banks of a subchannel"),
        power_of_two("dram.bank_interleave_bytes", "bytes", 4096, 1 << 30, in<&A::dram, &Dram::bank_interleave_bytes>,
                     "addresses change the DRAM bank after so many bytes"),
        rate("dram.subchannel_read_cycles_per_flit", in<&A::dram, &Dram::subchannel_read_ticks_per_flit>,
             "time of a subchannel to read a flit"),
        rate("dram.subchannel_write_cycles_per_flit", in<&A::dram, &Dram::subchannel_write_ticks_per_flit>,
             "time of a subchannel to write a flit"),
        rate("dram.bank_read_cycles_per_flit", in<&A::dram, &Dram::bank_read_ticks_per_flit>,
             "time of a DRAM bank to read a flit"),
        rate("dram.bank_write_cycles_per_flit", in<&A::dram, &Dram::bank_write_ticks_per_flit>,
             "time of a DRAM bank to write a flit"),
        whole("dram.read_buffer_bytes", "bytes", 4096, 1 << 20, in<&A::dram, &Dram::read_buffer_bytes>,
              "data that the controller reads ahead of what it has returned"),
        whole("dram.write_buffer_bytes", "bytes", 64, 1 << 20, in<&A::dram, &Dram::write_buffer_bytes>,
              "written data that the controller takes ahead of DRAM, per endpoint"),
        whole("dram.read_requests_max", "packets", 1, 1 << 20, in<&A::dram, &Dram::read_requests_max>,
              "read requests that an endpoint takes in before it pushes back into the network"),
        latency("dram.write_change_cycles", in<&A::dram, &Dram::write_change_cycles>,
                "from the last flit of a write to the first of one on another virtual channel, at an endpoint"),
        whole("dram.acknowledges_from_buffer", "count", 0, 1, in<&A::dram, &Dram::acknowledges_from_buffer>,
              "1: writes are acknowledged once they are in the write buffer; 0: when DRAM takes them"),
        power_of_two("dram.burst_bytes", "bytes", 1, 4096, in<&A::dram, &Dram::burst_bytes>,
                     "unit of DRAM access; a write of part of it is a read, a change and a write"),
        decimal("dram.partial_write_cycles", "cycles", 0, kLatencyMaximum, in<&A::dram, &Dram::partial_write_ticks>,
                "time that a write of part of a burst takes the subchannel"),

        text("board.description", of_board<&Board::description>, "one line about the board"),
        whole("board.clock_hz", "hertz", 1'000'000, 100'000'000'000, of_board<&Board::clock_hz>, "clock of the tiles"),
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
    };
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

std::span<const Field> fields() {
    static const std::vector<Field> table = make_fields();
    return table;
}

const Field* find_field(std::string_view key) {
    const auto found = std::ranges::find(fields(), key, &Field::key);
    return found == fields().end() ? nullptr : &*found;
}

std::vector<FieldReport> report_fields(const Architecture& architecture, const std::string& board_name) {
    Architecture machine = architecture;  // accessors hand out references through which one could write
    Board board = architecture.board(board_name);
    std::vector<FieldReport> report;
    for (const Field& field : fields()) {
        report.push_back({field.key, value_text(field, machine, board), field.unit, field.meaning});
    }
    return report;
}

}  // namespace nocbench
