#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/field_builders.h"
#include "device_model/arch/fields/field_value.h"
#include "device_model/arch/fields/kinds.h"
#include "device_model/epiphany/arch/constants.h"

namespace nocbench {

namespace {

constexpr std::int64_t kCoreIdMaximum = 63;  // rows and columns have 6 bits in the id of an Epiphany core

template <auto Section, auto Member>
auto& in(Architecture& architecture, Board& /*board*/) {
    return epiphany_of(architecture).*Section.*Member;
}

template <auto Member>
auto& of_board(Architecture& /*architecture*/, Board& board) {
    return epiphany_of(board).*Member;
}

/// Cycles of a kernel's code: never none, so that time passes in every loop.
Field instruction(std::string_view key, FieldAccess access, std::string_view meaning) {
    return decimal(key, "cycles", 1, kStepMaximum, access, meaning);
}

/// Cycles on a link of the mesh: never none, which would be bandwidth without end.
Field link_cycles(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "cycles", 1, 1000, access, meaning);
}

/// Periods of the off-chip link's clock.
Field periods(std::string_view key, Cycle minimum, FieldAccess access, std::string_view meaning) {
    return decimal(key, "periods of the link's clock", minimum, kLatencyMaximum, access, meaning);
}

Field transactions(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "transactions", 1, 65'536, access, meaning);
}

Field picoseconds(std::string_view key, FieldAccess access, std::string_view meaning) {
    return whole(key, "picoseconds", 1, 1'000'000'000, access, meaning);
}

std::vector<Field> epiphany_fields() {
    using E = EpiphanyConstants;
    using Mesh = MeshConstants;
    using Core = EpiphanyCoreConstants;
    using Dma = DmaConstants;
    using Elink = ElinkConstants;
    using Host = HostConstants;

    return {
        decimal("mesh.hop_cycles", "cycles", 1, 1000, in<&E::mesh, &Mesh::hop_ticks>,
                "from router to router; a multiple of half a cycle"),
        link_cycles("mesh.on_chip_write_cycles", in<&E::mesh, &Mesh::on_chip_write_cycles>,
                    "time that a write within the chip, or a reply to a read, takes a link"),
        link_cycles("mesh.off_chip_write_cycles", in<&E::mesh, &Mesh::off_chip_write_cycles>,
                    "time that a write off the chip takes a link"),
        link_cycles("mesh.read_request_cycles", in<&E::mesh, &Mesh::read_request_cycles>,
                    "time that a read request takes a link"),
        decimal("mesh.buffer_cycles", "cycles", 1, 1000, in<&E::mesh, &Mesh::buffer_ticks>,
                "room at each input port of a router, in time of its link"),
        decimal("mesh.credit_return_cycles", "cycles", 0, 1000, in<&E::mesh, &Mesh::credit_return_ticks>,
                "from data leaving an input port to the router before knowing of it"),
        decimal("mesh.injection_cycles", "cycles", 0, 1000, in<&E::mesh, &Mesh::injection_ticks>,
                "from core to router"),
        decimal("mesh.ejection_cycles", "cycles", 0, 1000, in<&E::mesh, &Mesh::ejection_ticks>, "from router to core"),
        whole("mesh.reads_follow_writes", "count", 0, 1, in<&E::mesh, &Mesh::reads_follow_writes>,
              "1: a read waits for earlier writes of its core to the same memory; 0: it can overtake them"),

        power_of_two("core.memory_bytes", "bytes", 1024, 1 << 20, in<&E::core, &Core::memory_bytes>,
                     "local memory of a core"),
        power_of_two("core.memory_banks", "count", 1, 64, in<&E::core, &Core::memory_banks>, "banks of that memory"),
        instruction("core.instruction_cycles", in<&E::core, &Core::instruction_ticks>, "an integer instruction"),
        instruction("core.load_cycles", in<&E::core, &Core::load_ticks>, "issue of a load"),
        step("core.local_load_use_cycles", in<&E::core, &Core::local_load_use_ticks>,
             "from the issue of a load of local memory to the first use of what it loads, beyond load_cycles"),
        instruction("core.store_cycles", in<&E::core, &Core::store_ticks>, "issue of a store"),
        step("core.taken_branch_cycles", in<&E::core, &Core::taken_branch_ticks>,
             "what a branch that is taken takes beyond its instruction"),
        step("core.float_cycles", in<&E::core, &Core::float_ticks>,
             "from the issue of a floating-point instruction to the first use of its result"),
        step("core.float_user_cycles", in<&E::core, &Core::float_user_ticks>,
             "so much earlier than others a floating-point instruction needs its operands"),
        instruction("core.divide_cycles", in<&E::core, &Core::divide_ticks>,
                    "an integer division, if a program does not bring its own routine for it"),
        instruction("core.float_divide_cycles", in<&E::core, &Core::float_divide_ticks>,
                    "the same of a floating-point division or square root"),
        step("core.remote_read_cycles", in<&E::core, &Core::remote_read_ticks>,
             "at the target of a read: from taking its request in to sending the reply"),
        step("core.read_recovery_cycles", in<&E::core, &Core::read_recovery_ticks>,
             "at the target of a read: from taking its request in to being ready for the next one"),
        step("core.testset_cycles", in<&E::core, &Core::testset_ticks>,
             "what a TESTSET takes its target beyond a read"),
        step("core.interrupt_cycles", in<&E::core, &Core::interrupt_ticks>,
             "from the request of an interrupt to the first instruction of its handler"),
        step("core.wired_and_cycles", in<&E::core, &Core::wired_and_ticks>,
             "from the WAND of the last core to the interrupt at all of them"),
        step("core.barrier_step_cycles", in<&E::core, &Core::barrier_step_ticks>,
             "of the vendor's barrier: a turn of the loops of its first core, beyond its load or store"),
        step("core.barrier_round_cycles", in<&E::core, &Core::barrier_round_ticks>,
             "of a dissemination barrier: a round of it, beyond its store and its wait"),
        step("core.warm_call_cycles", in<&E::core, &Core::warm_call_ticks>,
             "a call to a routine between two reads of the timer, if its code was in use before"),
        step("core.cold_call_cycles", in<&E::core, &Core::cold_call_ticks>, "the same after the core was idle"),

        whole("dma.channels", "count", 1, 2, in<&E::dma, &Dma::channels>, "channels of a core's DMA engine"),
        step("dma.setup_cycles", in<&E::dma, &Dma::setup_ticks>,
             "filling a descriptor and starting a channel, until data begin to move"),
        step("dma.setup_tail_cycles", in<&E::dma, &Dma::setup_tail_ticks>,
             "from there to the core's first look at the status of the channel"),
        step("dma.poll_cycles", in<&E::dma, &Dma::poll_ticks>,
             "what one look at the status takes beyond the load itself"),
        decimal("dma.write_interval_cycles", "cycles", 1, 1000, in<&E::dma, &Dma::write_interval_ticks>,
                "least spacing of the writes of an engine"),
        decimal("dma.erratum_write_interval_cycles", "cycles", 1, 1000, in<&E::dma, &Dma::erratum_write_interval_ticks>,
                "the same on silicon with the erratum that throttles DMA"),
        whole("dma.has_throttling_erratum", "count", 0, 1, in<&E::dma, &Dma::has_throttling_erratum>,
              "1: erratum_write_interval_cycles counts; 0: write_interval_cycles does"),
        transactions("dma.outstanding_reads_max", in<&E::dma, &Dma::outstanding_reads_max>,
                     "reads that an engine has in flight"),

        clock("elink.clock_hz", in<&E::elink, &Elink::clock_hz>,
              "clock of the FPGA behind the off-chip link, which serves transactions in its own time"),
        periods("elink.single_write_periods", 1, in<&E::elink, &Elink::single_write_ticks>,
                "service of a write of a core that continues no burst"),
        periods("elink.dma_single_write_periods", 1, in<&E::elink, &Elink::dma_single_write_ticks>,
                "service of a write of a DMA engine that continues no burst"),
        periods("elink.burst_write_periods", 1, in<&E::elink, &Elink::burst_write_ticks>,
                "service of a write that continues a burst of ascending addresses"),
        periods("elink.dma_burst_write_periods", 1, in<&E::elink, &Elink::dma_burst_write_ticks>,
                "service of a write of a DMA engine that does"),
        periods("elink.read_periods", 1, in<&E::elink, &Elink::read_ticks>, "service of a read of a core"),
        periods("elink.dma_read_periods", 1, in<&E::elink, &Elink::dma_read_ticks>,
                "service of a read of a DMA engine"),
        periods("elink.read_latency_periods", 0, in<&E::elink, &Elink::read_latency_ticks>,
                "from a read request at the link to its data at the link"),
        periods("elink.same_engine_read_interval_periods", 0, in<&E::elink, &Elink::same_engine_read_interval_ticks>,
                "least spacing of the data that one DMA engine reads"),
        transactions("elink.write_buffer_transactions", in<&E::elink, &Elink::write_buffer_transactions>,
                     "single writes that wait before the link pushes back"),
        transactions("elink.burst_buffer_transactions", in<&E::elink, &Elink::burst_buffer_transactions>,
                     "writes of a burst that wait before the link pushes back"),
        transactions("elink.dma_burst_buffer_transactions", in<&E::elink, &Elink::dma_burst_buffer_transactions>,
                     "the same of those of a DMA engine, which are not interrupted"),
        periods("elink.burst_restart_periods", 0, in<&E::elink, &Elink::burst_restart_ticks>,
                "from the link pushing a burst back to the burst going on"),
        transactions("elink.read_buffer_transactions", in<&E::elink, &Elink::read_buffer_transactions>,
                     "read requests that wait before the link pushes back"),
        whole("elink.external_memory_bytes", "bytes", 1, 1 << 30, in<&E::elink, &Elink::external_memory_bytes>,
              "memory that cores reach through the link"),

        power_of_two("host.access_bytes", "bytes", 1, kDwordBytes, in<&E::host, &Host::access_bytes>,
                     "what the host moves at once"),
        picoseconds("host.external_read_picoseconds", in<&E::host, &Host::external_read_picoseconds>,
                    "an access of the host that reads external memory"),
        picoseconds("host.external_write_picoseconds", in<&E::host, &Host::external_write_picoseconds>,
                    "an access of the host that writes external memory"),
        picoseconds("host.core_read_picoseconds", in<&E::host, &Host::core_read_picoseconds>,
                    "an access of the host that reads the memory of a core"),
        picoseconds("host.core_write_picoseconds", in<&E::host, &Host::core_write_picoseconds>,
                    "an access of the host that writes the memory of a core"),
    };
}

std::vector<Field> epiphany_board_fields() {
    return {
        whole("board.columns", "tiles", 1, kGridMaximum, of_board<&EpiphanyBoard::columns>, "columns of cores"),
        whole("board.rows", "tiles", 1, kGridMaximum, of_board<&EpiphanyBoard::rows>, "rows of cores"),
        whole("board.first_core_row", "coordinate", 0, kCoreIdMaximum, of_board<&EpiphanyBoard::first_core_row>,
              "row in the id of the core in the north-west corner"),
        whole("board.first_core_column", "coordinate", 0, kCoreIdMaximum, of_board<&EpiphanyBoard::first_core_column>,
              "column in the id of the core in the north-west corner"),
    };
}

/// Rows or columns that the ids of cores can tell apart.
constexpr std::int64_t kCoreIds = kCoreIdMaximum + 1;

/// The mesh counts in half cycles: one step of a router and of a core each.
std::optional<Contradiction> half_cycles(Tick ticks) {
    constexpr Tick kHalfCycle = kTicksPerCycle / 2;
    if (ticks % kHalfCycle == 0) {
        return std::nullopt;
    }
    return Contradiction{"a multiple of half a cycle", number_text(NumberForm::decimal_cycles, ticks)};
}

/// A core's row and column have six bits each in its id.
std::optional<Contradiction> ids_of_cores(std::int64_t first, std::int64_t count, std::string_view key_of_count) {
    return at_most(first, kCoreIds - count, fmt::format("{} less {}", kCoreIds, key_of_count));
}

std::vector<Field> make_fields() {
    std::vector<Field> table = epiphany_fields();
    std::ranges::copy(in_collection(kBoards, epiphany_board_fields()), std::back_inserter(table));
    return table;
}

std::vector<CrossCheck> make_cross_checks() {
    using A = const Architecture&;
    using B = const Board&;
    return {
        {{"mesh.hop_cycles"}, [](A a, B) { return half_cycles(epiphany_of(a).mesh.hop_ticks); }},
        {{"board.first_core_row", "board.rows"},
         [](A, B b) { return ids_of_cores(epiphany_of(b).first_core_row, epiphany_of(b).rows, "board.rows"); }},
        {{"board.first_core_column", "board.columns"},
         [](A, B b) {
             return ids_of_cores(epiphany_of(b).first_core_column, epiphany_of(b).columns, "board.columns");
         }},
    };
}

}  // namespace

const KindDefinition& epiphany_mesh_kind() {
    static const KindDefinition definition{
        .name = "epiphany_mesh",
        .constants = EpiphanyConstants{},
        .board = EpiphanyBoard{},
        .fields = make_fields(),
        .cross_checks = make_cross_checks(),
        .flit_bytes = [](const Architecture& /*architecture*/) { return static_cast<std::int64_t>(kDwordBytes); },
        .cycles_per_flit = [](const Architecture& a) { return epiphany_of(a).mesh.on_chip_write_cycles; }};
    return definition;
}

const EpiphanyConstants& epiphany_of(const Architecture& architecture) {
    return constants_of<EpiphanyConstants>(architecture);
}
EpiphanyConstants& epiphany_of(Architecture& architecture) { return constants_of<EpiphanyConstants>(architecture); }
const EpiphanyBoard& epiphany_of(const Board& board) { return constants_of<EpiphanyBoard>(board); }
EpiphanyBoard& epiphany_of(Board& board) { return constants_of<EpiphanyBoard>(board); }

}  // namespace nocbench
