// Cores at chosen distances from the banks of DRAM read pages, each of one bank.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "kernels/frame/data_check.h"
#include "kernels/frame/pages/meeting.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/program.h"

namespace nocbench::dram_sharded {

namespace {

/// Different pages that a core reads; more than that are these again.
constexpr std::uint32_t kPagesMax = 16;

/// Where the cores of a bank are.
enum class Distance : std::uint8_t { closest, one_hop, single_row, loop_back };

struct Reader {
    LogicalCoordinate core;
    std::uint32_t bank = 0;
};

/// How unwelcome a core is that data reach over `hops` links.
int penalty(Distance distance, int hops) {
    switch (distance) {
        case Distance::one_hop:  // through one router between those of both
            return std::abs(hops - 2);
        case Distance::loop_back:
            return -hops;
        case Distance::closest:
        case Distance::single_row:
            break;
    }
    return hops;
}

std::vector<LogicalCoordinate> candidates(const Grid& grid, Distance distance) {
    const int rows = distance == Distance::single_row ? 1 : grid.compute_rows();
    return cores_of({.first = {0, 0}, .last = {grid.compute_columns() - 1, rows - 1}});
}

/// Banks choose in turn, until each has `cores_per_bank` or no core is left.
std::vector<Reader> place(const Grid& grid, Distance distance, int noc, std::uint32_t cores_per_bank) {
    std::vector<LogicalCoordinate> cores = candidates(grid, distance);
    const auto num_banks = static_cast<std::uint32_t>(grid.dram_banks().size());
    std::vector<Reader> readers;
    for (std::uint32_t turn = 0; turn < num_banks * cores_per_bank && !cores.empty(); ++turn) {
        const std::uint32_t bank = turn % num_banks;
        const PhysicalCoordinate tile = grid.dram_banks()[bank].endpoint[static_cast<std::size_t>(noc)];
        const auto best = std::ranges::min_element(cores, {}, [&](LogicalCoordinate core) {
            return penalty(distance, grid.hops(noc, tile, grid.physical(core)));
        });
        readers.push_back({*best, bank});
        cores.erase(best);
    }
    return readers;
}

template <Distance distance>
std::vector<KernelReport> run(const Point& point) {
    constexpr std::uint32_t kCoresPerBankMax = 16;
    Device& device = point.device();
    const Grid& grid = device.grid();
    const int noc = static_cast<int>(point.number("noc", 0, kNumNocs - 1));
    const std::vector<Reader> readers = place(grid, distance, noc, point.number("cores_per_bank", 1, kCoresPerBankMax));
    const std::uint32_t num_pages = std::min(point.num_transactions(), kPagesMax);
    static_cast<void>(point.l1_buffer(num_pages - 1));  // fits
    const std::uint32_t l1_address = point.first_l1_buffer();

    Program program(device);
    std::vector<LogicalCoordinate> cores;
    cores.reserve(readers.size());
    for (const Reader& reader : readers) {
        cores.push_back(reader.core);
    }
    const Meeting meeting(point, program, cores, 1);
    DataCheck check(point);
    std::vector<std::uint32_t> next_address(
        grid.dram_banks().size(), static_cast<std::uint32_t>(device.architecture().dram.unreserved_base_bytes));
    for (std::size_t index = 0; index < readers.size(); ++index) {
        const Reader& reader = readers[index];
        const std::uint32_t bank_address = next_address[reader.bank];
        next_address[reader.bank] += num_pages * point.buffer_bytes();
        for (std::uint32_t page = 0; page < num_pages; ++page) {
            const std::uint32_t offset = page * point.buffer_bytes();
            const MemoryPlace source = dram_place(grid, reader.bank, noc, bank_address + offset);
            const DataCheck::Data data = check.fill(
                source, static_cast<NodeIndex>(static_cast<std::size_t>(grid.num_nodes()) + index * kPagesMax + page));
            const std::uint32_t rest = point.num_transactions() % num_pages;
            check.expect({"reader", TransactionKind::read, source, l1_place(grid, reader.core, l1_address + offset),
                          data, point.num_transactions() / num_pages + (page < rest ? 1 : 0)});
        }
        std::vector<std::uint32_t> arguments{reader.bank,
                                             bank_address,
                                             num_pages,
                                             point.num_transactions() / num_pages,
                                             point.num_transactions() % num_pages,
                                             l1_address};
        const std::vector<std::uint32_t> of_meeting = meeting.arguments(0);
        arguments.insert(arguments.end(), of_meeting.begin(), of_meeting.end());
        program.add_kernel(
            {reader.core},
            {"reader", nullptr, 0, noc, {point.call_size_bytes()}, "dram_sharded/kernels/device/bank_reader.cpp"},
            meeting.start(index));
        program.set_runtime_args(reader.core, 0, arguments);
    }
    program.run();

    return {{.label = "Receiver",
             .kernel = "reader",
             .zone = "READ",
             .riscv = 0,
             .noc = noc,
             .transaction_size_bytes = readers.size() * std::uint64_t{point.call_size_bytes()},
             .data_fault = check.fault("reader"),
             .summary = CoreSummary::together}};
}

Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    return tier == Tier::quick ? Sweep{{1, 16}, {2048, 8192}}
                               : Sweep{{1, 4, 16, 64, 256}, {2048, 4096, 8192, 16384, 32768, 65536}};
}

TestDefinition test(int id, const std::string& where, const std::string& which,
                    std::vector<KernelReport> (*run_point)(const Point&)) {
    return {.id = id,
            .name = fmt::format("Number of Pages Sweep for DRAM {}", where),
            .primitive = "dram_sharded",
            .description = fmt::format("Many cores read pages, each of one bank of DRAM: {}.", which),
            .headings = {"Number of Pages Sweep for DRAM", where},
            .kernels = {"Receiver"},
            .parameters = {{"noc", "1", "NoC that riscv_0 reads on"},
                           {"cores_per_bank", "3", "cores that read from each bank, as far as there are any left"},
                           meeting_parameter()},
            .sweep = &sweep,
            .run = run_point,
            .num_links = &num_dram_banks};
}

const RegisterTests registration{{
    test(502, "Closest Neighbour", "those that its data reach over the fewest links", &run<Distance::closest>),
    test(503, "One Hop", "those that its data reach through one router in between", &run<Distance::one_hop>),
    test(504, "Single Row", "those of the first row that its data reach over the fewest links",
         &run<Distance::single_row>),
    test(505, "Loop Back", "those that its data reach over the most links", &run<Distance::loop_back>),
}};

}  // namespace

}  // namespace nocbench::dram_sharded
