// Many cores simultaneously read from, or write to, DRAM channels.
#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <utility>

#include "dram_unary/kernels/kernels.h"
#include "dram_unary/placement.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/dataflow_api.h"
#include "kernels/tensix/program.h"

namespace nocbench::dram_unary {

namespace {

/// Properties by which the tests of reads and writes differ.
struct Direction {
    TransactionKind kind = TransactionKind::read;
    const char* label;
    const char* kernel_name;
    void (*kernel)();
    const char* zone;
    int riscv = 0;
};

constexpr Direction kReads{.kind = TransactionKind::read,
                           .label = "Receiver",
                           .kernel_name = "channel_reader",
                           .kernel = &channel_reader,
                           .zone = "RISCV1",
                           .riscv = 1};
constexpr Direction kWrites{.kind = TransactionKind::write,
                            .label = "Sender",
                            .kernel_name = "channel_writer",
                            .kernel = &channel_writer,
                            .zone = "RISCV0",
                            .riscv = 0};

constexpr std::uint32_t kWindowMax = 1024;  // packets

FlowsWanted flows_wanted(const Point& point, TransactionKind kind) {
    const Grid& grid = point.device().grid();
    const auto num_banks = static_cast<std::uint32_t>(grid.dram_banks().size());
    FlowsWanted wanted;
    wanted.kind = kind;
    wanted.noc = point.noc();
    wanted.num_cores =
        point.number("cores", 1, static_cast<std::uint32_t>(grid.compute_columns() * grid.compute_rows()));
    if (point.says("bank", "all")) {
        for (std::uint32_t bank = 0; bank < num_banks; ++bank) {
            wanted.banks.push_back(bank);
        }
    } else {
        wanted.banks.push_back(point.number("bank", 0, num_banks - 1));
    }
    return wanted;
}

std::vector<Flow> place(const Point& point, const FlowsWanted& wanted) {
    constexpr std::uint32_t kSeedMax = 1'000'000;
    const Device& device = point.device();
    return point.choice("placement", {"careful", "random"}) == 0
               ? careful_placement(device.architecture(), device.grid(), wanted)
               : random_placement(device.grid(), wanted, point.number("seed", 0, kSeedMax));
}

std::uint32_t virtual_channel(const Point& point) {
    return point.unicast_channel() | (point.flag("dynamic") ? std::uint32_t{dataflow::NOC_DYNAMIC_VC} : 0);
}

/// Runs the flows. Each core accesses a separate part of its bank.
std::vector<KernelReport> run(const Point& point, const Direction& direction) {
    Device& device = point.device();
    const Grid& grid = device.grid();
    const FlowsWanted wanted = flows_wanted(point, direction.kind);
    const std::uint32_t l1_address = point.first_l1_buffer();
    const Program::Kernel kernel{direction.kernel_name,
                                 direction.kernel,
                                 direction.riscv,
                                 wanted.noc,
                                 {point.num_transactions(), point.call_size_bytes(), l1_address, virtual_channel(point),
                                  point.number("window", 0, kWindowMax)}};

    DataCheck check(point);
    Program program(device);
    std::map<std::uint32_t, std::uint32_t> next_address;  // next free address, by bank
    for (const Flow& flow : place(point, wanted)) {
        const auto base = static_cast<std::uint32_t>(device.architecture().dram.unreserved_base_bytes);
        const auto [address, is_first] = next_address.try_emplace(flow.bank, base);
        MemoryPlace source = dram_place(grid, flow.bank, flow.tile, address->second);
        MemoryPlace destination = l1_place(grid, flow.core, l1_address);
        const NodeIndex core = destination.tile;
        const TranslatedCoordinate tile = grid.translated(flow.tile);
        program.add_kernel({flow.core}, kernel);
        program.set_runtime_args(flow.core, direction.riscv,
                                 {static_cast<std::uint32_t>(tile.x), static_cast<std::uint32_t>(tile.y),
                                  static_cast<std::uint32_t>(source.address)});
        if (direction.kind == TransactionKind::write) {
            std::swap(source, destination);
        }
        check.expect({direction.kernel_name, direction.kind, source, destination, check.fill(source, core)});
        address->second += point.buffer_bytes();
    }
    program.run();

    return {{.label = direction.label,
             .kernel = direction.kernel_name,
             .zone = direction.zone,
             .riscv = direction.riscv,
             .noc = wanted.noc,
             .transaction_size_bytes = wanted.num_cores * std::uint64_t{point.call_size_bytes()},
             .data_fault = check.fault(direction.kernel_name),
             .summary = CoreSummary::together}};
}

std::vector<KernelReport> run_reads(const Point& point) { return run(point, kReads); }
std::vector<KernelReport> run_writes(const Point& point) { return run(point, kWrites); }

Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    constexpr std::int64_t kKiB = 1024;
    return tier == Tier::quick ? Sweep{{1}, {16 * kKiB}} : Sweep{{1}, {16 * kKiB, 64 * kKiB, 256 * kKiB, 1024 * kKiB}};
}

TestDefinition test(int id, const Direction& direction, std::vector<KernelReport> (*run_point)(const Point&)) {
    const bool is_read = direction.kind == TransactionKind::read;
    const std::string does = is_read ? "read from" : "write to";
    return {.id = id,
            .name = fmt::format("DRAM Shared Channels {}", is_read ? "Read" : "Write"),
            .primitive = "dram_unary",
            .description = fmt::format("Many cores {} the DRAM channels at the same time.", does),
            .headings = {"DRAM Shared Channels", is_read ? "Read" : "Write"},
            .kernels = {direction.label},
            .parameters = {noc_parameter(is_read ? "1" : "0", "NoC that is used"),
                           {"cores", "48", fmt::format("how many cores {} DRAM, dealt to the banks in turn", does),
                            false, false, ParameterRole::core_count},
                           {"bank", "all", "bank of DRAM, or all"},
                           {"placement", "careful",
                            "careful: data of different banks share no link, where that is possible; random: cores are "
                            "drawn at random"},
                           {"seed", "1", "of the random placement"},
                           channel_parameter("requests"),
                           {"window", "0", "most packets of a core in flight; 0: no limit"},
                           {"dynamic", "0", "1: requests may change their virtual channel at each router"}},
            .sweep = &sweep,
            .run = run_point,
            // Counts one link per bank: a channel has one data rate in total, for any number of tiles used.
            .num_links = &num_dram_banks};
}

const RegisterTests registration{{test(820, kReads, &run_reads), test(821, kWrites, &run_writes)}};

}  // namespace

}  // namespace nocbench::dram_unary
