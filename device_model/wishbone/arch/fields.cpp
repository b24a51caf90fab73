#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/field_builders.h"
#include "device_model/arch/fields/kinds.h"
#include "device_model/wishbone/arch/constants.h"

namespace nocbench {

namespace {

template <auto Section, auto Member>
auto& in_part(Architecture& /*architecture*/, Board& board) {
    return wishbone_of(board).wishbone.*Section.*Member;
}

template <auto Member>
auto& of_board(Architecture& /*architecture*/, Board& board) {
    return wishbone_of(board).*Member;
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

std::vector<Field> wishbone_board_fields() {
    return {
        text("board.host", of_board<&WishboneBoard::host>, "the computer, one of `hosts`"),
        text("board.bridge", of_board<&WishboneBoard::bridge>, "what joins it to the FPGA, one of `bridges`"),
        text("board.fpga", of_board<&WishboneBoard::fpga>, "the FPGA, one of `fpgas`"),
        whole("board.switches", "count", 0, 100, of_board<&WishboneBoard::switches>, "network switches on the way"),
        whole("board.fibre_metres", "metres", 0, 1'000'000, of_board<&WishboneBoard::fibre_metres>,
              "length of the way, in fibre or cable"),
    };
}

/// Copies name and clock of each board into its constants.
void complete(Architecture& architecture) {
    for (auto& [name, board] : architecture.boards) {
        wishbone_of(board).name = name;
        wishbone_of(board).clock_hz = board.clock_hz;
    }
}

std::vector<Field> make_fields() {
    std::vector<Field> table;
    for (const auto& [collection, fields] :
         {std::pair("hosts", bridge_host_fields()), std::pair("bridges", bridge_fields()),
          std::pair("fpgas", fpga_fields()), std::pair(kBoards.data(), wishbone_board_fields())}) {
        std::ranges::copy(in_collection(collection, fields), std::back_inserter(table));
    }
    return table;
}

std::vector<CrossCheck> make_cross_checks() {
    using A = const Architecture&;
    using B = const Board&;
    return {
        {{"board.host"}, [](A a, B b) { return part_exists(a, "hosts", wishbone_of(b).host); }},
        {{"board.bridge"}, [](A a, B b) { return part_exists(a, "bridges", wishbone_of(b).bridge); }},
        {{"board.fpga"}, [](A a, B b) { return part_exists(a, "fpgas", wishbone_of(b).fpga); }},
    };
}

}  // namespace

const KindDefinition& wishbone_bridge_kind() {
    static const KindDefinition definition{
        .name = "wishbone_bridge",
        .constants = {},
        .board = WishboneBoard{},
        .fields = make_fields(),
        .cross_checks = make_cross_checks(),
        .flit_bytes = [](const Architecture& /*architecture*/) { return kBusWordBytes; },
        .complete = &complete};
    return definition;
}

const WishboneBoard& wishbone_of(const Board& board) { return constants_of<WishboneBoard>(board); }
WishboneBoard& wishbone_of(Board& board) { return constants_of<WishboneBoard>(board); }

}  // namespace nocbench
