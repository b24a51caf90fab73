// One core forwards buffers under transaction ids, and waits for each id separately.
#include <fmt/format.h>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/program.h"

namespace nocbench::transaction_id {

namespace {

constexpr std::uint32_t kIdsMax = 15;  // id 0 means no id

/// First operation on each buffer.
enum class First : std::uint8_t { write, read };

std::vector<KernelReport> run_with(const Point& point, First first, const std::string& device_source,
                                   bool is_one_packet = false) {
    const Grid& grid = point.device().grid();
    const LogicalCoordinate core = point.core("source");
    const LogicalCoordinate written = point.core("written");
    const LogicalCoordinate read = point.core("read");
    const int noc = point.noc();
    const std::uint32_t size = point.call_size_bytes();
    // Buffers have equal addresses on all cores, so data of two roles on one core could not be distinguished.
    if (core == written || core == read || written == read) {
        throw InputError(
            fmt::format("parameters source, written and read: expected three different cores, found {}, {} and {}",
                        to_string(core), to_string(written), to_string(read)));
    }
    if (point.num_transactions() > 2 * kIdsMax) {
        throw InputError(fmt::format(
            "parameter num_transactions: expected at most {}, a write and a read for each transaction id, found {}",
            2 * kIdsMax, point.num_transactions()));
    }
    const std::uint32_t num_second = point.num_transactions() / 2;
    const std::uint32_t num_ids = point.num_transactions() - num_second;
    // Buffers are contiguous, like the offsets of calls.
    const std::uint64_t end = std::uint64_t{kL1BufferAddress} + std::uint64_t{num_ids} * size;
    const auto l1_bytes = static_cast<std::uint64_t>(point.device().architecture().l1.size_bytes);
    if (end > l1_bytes || size % static_cast<std::uint32_t>(point.device().architecture().l1.alignment_bytes) != 0) {
        throw InputError(fmt::format(
            "parameter call_size: expected a multiple of {} bytes, {} of which fit {} bytes of L1, found {}",
            point.device().architecture().l1.alignment_bytes, num_ids, l1_bytes - kL1BufferAddress, size));
    }

    DataCheck check(point);
    const auto place = [&](LogicalCoordinate tile, std::uint32_t id) {
        return l1_place(grid, tile, kL1BufferAddress + std::uint64_t{id} * size);
    };
    for (std::uint32_t id = 0; id < num_ids; ++id) {
        const auto pattern_of = [&](MemoryPlace buffer) {
            return static_cast<NodeIndex>(buffer.tile + id * static_cast<std::uint32_t>(grid.num_nodes()));
        };
        const MemoryPlace own = place(core, id);
        const MemoryPlace source = place(read, id);
        const DataCheck::Data data = check.fill(source, pattern_of(source));
        const DataCheck::Data own_data = first == First::write ? check.fill(own, pattern_of(own)) : data;
        if (first == First::read || id < num_second) {
            check.expect({"mover", TransactionKind::read, source, own, data, 1});
        }
        if (first == First::write || id < num_second) {
            check.expect({"mover", TransactionKind::write, own, place(written, id), own_data, 1});
        }
    }

    const auto coordinates = [&](LogicalCoordinate tile) { return grid.translated(tile); };
    Program program(point.device());
    program.add_kernel({core},
                       {"mover",
                        nullptr,
                        0,
                        noc,
                        {num_ids, size, kL1BufferAddress, kL1BufferAddress, num_second, is_one_packet ? 1U : 0U},
                        device_source});
    program.set_runtime_args(
        core, 0,
        {static_cast<std::uint32_t>(coordinates(written).x), static_cast<std::uint32_t>(coordinates(written).y),
         static_cast<std::uint32_t>(coordinates(read).x), static_cast<std::uint32_t>(coordinates(read).y)});
    program.run();
    return {{.label = "Mover",
             .kernel = "mover",
             .zone = "RISCV0",
             .riscv = 0,
             .noc = noc,
             .transaction_size_bytes = size,
             .data_fault = check.fault("mover")}};
}

std::vector<KernelReport> run_read_after_write(const Point& point) {
    return run_with(point, First::write, "transaction_id/kernels/device/read_after_write.cpp");
}
std::vector<KernelReport> run_read_after_write_one_packet(const Point& point) {
    point.require_one_packet("a call");
    return run_with(point, First::write, "transaction_id/kernels/device/read_after_write_one_packet.cpp");
}
std::vector<KernelReport> run_read_after_write_one_packet_2_0(const Point& point) {
    point.require_one_packet("a call");
    return run_with(point, First::write, "transaction_id/kernels/device/read_after_write.cpp", true);
}
std::vector<KernelReport> run_read_after_write_stateful(const Point& point) {
    point.require_one_packet("a call");
    return run_with(point, First::write, "transaction_id/kernels/device/read_after_write_stateful.cpp");
}
std::vector<KernelReport> run_write_after_read(const Point& point) {
    return run_with(point, First::read, "transaction_id/kernels/device/write_after_read.cpp");
}
std::vector<KernelReport> run_write_after_read_stateful(const Point& point) {
    point.require_one_packet("a call");
    return run_with(point, First::read, "transaction_id/kernels/device/write_after_read_stateful.cpp");
}

Sweep sweep_up_to(const Architecture& architecture, Tier tier, std::int64_t largest_bytes) {
    if (tier == Tier::quick) {
        return {{2, 30}, {torus_of(architecture).router.flit_bytes, 2048}};
    }
    return {{2, 4, 8, 16, 30}, powers_of_two(torus_of(architecture).router.flit_bytes, largest_bytes)};
}

Sweep sweep(const Architecture& architecture, Tier tier) { return sweep_up_to(architecture, tier, 64 * 1024); }

Sweep packet_sweep(const Architecture& architecture, Tier tier) {
    return sweep_up_to(architecture, tier, packet_bytes_max(torus_of(architecture)));
}

/// Returns the number of links used: writes leave over one link while reads arrive over another one.
std::size_t links_of_both_directions(const Architecture& /*architecture*/, const Board& /*board*/) { return 2; }

TestDefinition definition(int id, const std::string& name, const std::string& description,
                          Sweep (*sizes)(const Architecture&, Tier), std::vector<KernelReport> (*run)(const Point&)) {
    return {.id = id,
            .name = name,
            .primitive = "transaction_id",
            .description = description,
            .headings = {"Transaction ID", name},
            .kernels = {"Mover"},
            .parameters = {core_parameter("source", "0,0", "logical core that writes and reads"),
                           core_parameter("written", "0,7", "logical core that is written to"),
                           core_parameter("read", "7,0", "logical core that is read from"),
                           {"noc", "0", "NoC that is used"}},
            .sweep = sizes,
            .run = run,
            .kernels_are_compiled = true,
            .num_links = &links_of_both_directions};
}

const std::string kReadAfterWrite =
    "One core writes buffers to another one, and reads from a third one into each as soon as its data have left";
const std::string kWriteAfterRead =
    "One core reads buffers from another one, and writes each to a third one as soon as its data have arrived";

// Ids of tests 2.0 are 20 more than those of the tests before them.
const RegisterTests registration{{
    definition(1600, "Transaction ID - Read After Write", kReadAfterWrite + ".", &sweep, &run_read_after_write),
    definition(1620, "Transaction ID - Read After Write 2.0", kReadAfterWrite + ", by the object API.", &sweep,
               &run_read_after_write),
    definition(1601, "Transaction ID - Read After Write One Packet", kReadAfterWrite + ", packet by packet.",
               &packet_sweep, &run_read_after_write_one_packet),
    definition(1621, "Transaction ID - Read After Write One Packet 2.0",
               kReadAfterWrite + ", packet by packet, by the object API.", &packet_sweep,
               &run_read_after_write_one_packet_2_0),
    definition(1602, "Transaction ID - Read After Write One Packet Stateful", kReadAfterWrite + ", by stateful calls.",
               &packet_sweep, &run_read_after_write_stateful),
    definition(1622, "Transaction ID - Read After Write One Packet Stateful 2.0",
               kReadAfterWrite + ", by stateful calls.", &packet_sweep, &run_read_after_write_stateful),
    definition(1610, "Transaction ID - Write After Read", kWriteAfterRead + ".", &sweep, &run_write_after_read),
    definition(1630, "Transaction ID - Write After Read 2.0", kWriteAfterRead + ", by the object API.", &sweep,
               &run_write_after_read),
    definition(1611, "Transaction ID - Write After Read One Packet Stateful", kWriteAfterRead + ", by stateful calls.",
               &packet_sweep, &run_write_after_read_stateful),
    definition(1631, "Transaction ID - Write After Read One Packet Stateful 2.0",
               kWriteAfterRead + ", by stateful calls.", &packet_sweep, &run_write_after_read_stateful),
}};

}  // namespace

}  // namespace nocbench::transaction_id
