// Cores at chosen distances from DRAM banks read pages. Each core reads from one bank.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "kernels/frame/data_check.h"
#include "kernels/frame/pages/meeting.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/published_boards.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/program.h"

namespace nocbench::dram_sharded {

namespace {

/// Maximum number of distinct pages of a core; larger transfers repeat these pages.
constexpr std::uint32_t kPagesMax = 16;

/// Selection criterion for the cores that read from a bank.
enum class Distance : std::uint8_t { closest, one_hop, single_row, loop_back };

struct Reader {
    LogicalCoordinate core;
    std::uint32_t bank = 0;
    int riscv = 0;
    int noc = 0;
};

/// Returns the cost of a core at `hops` links from the data; lower is better.
int penalty(Distance distance, int hops) {
    switch (distance) {
        case Distance::one_hop:  // through one router between the two routers
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

/// Assigns cores to banks round-robin, until each bank has `cores_per_bank` or no core is left.
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
        readers.push_back({.core = *best, .bank = bank, .riscv = 0, .noc = noc});
        cores.erase(best);
    }
    return readers;
}

/// Returns `readers`, which run on riscv_0 and NoC 0, and for each of them a second one on riscv_1 and NoC 1.
std::vector<Reader> on_both_nocs(const std::vector<Reader>& readers) {
    std::vector<Reader> all;
    for (const Reader& reader : readers) {
        all.push_back(reader);
        all.push_back({.core = reader.core, .bank = reader.bank, .riscv = 1, .noc = 1 - reader.noc});
    }
    return all;
}

std::vector<KernelReport> run_with(const Point& point, Distance distance, const std::string& device_source) {
    constexpr std::uint32_t kCoresPerBankMax = 16;
    Device& device = point.device();
    const Grid& grid = device.grid();
    const bool is_on_both = point.says("noc", "both");
    const int noc = is_on_both ? 0 : static_cast<int>(point.number("noc", 0, kNumNocs - 1));
    std::vector<Reader> readers = place(grid, distance, noc, point.number("cores_per_bank", 1, kCoresPerBankMax));
    std::vector<LogicalCoordinate> cores;
    cores.reserve(readers.size());
    for (const Reader& reader : readers) {
        cores.push_back(reader.core);
    }
    const std::size_t readers_per_core = is_on_both ? kNumNocs : 1;
    if (is_on_both) {
        readers = on_both_nocs(readers);
    }
    const std::uint32_t num_pages = std::min(point.num_transactions(), kPagesMax);
    // Throws if the pages do not fit L1.
    static_cast<void>(point.l1_buffer(static_cast<std::uint32_t>(readers_per_core) * num_pages - 1));

    Program program(device);
    const Meeting meeting(point, program, cores, static_cast<std::uint32_t>(readers_per_core));
    DataCheck check(point);
    std::vector<std::uint32_t> next_address(
        grid.dram_banks().size(), static_cast<std::uint32_t>(device.architecture().dram.unreserved_base_bytes));
    for (std::size_t index = 0; index < readers.size(); ++index) {
        const Reader& reader = readers[index];
        const std::uint32_t l1_address =
            point.l1_buffer(static_cast<std::uint32_t>(index % readers_per_core) * num_pages);
        const std::uint32_t bank_address = next_address[reader.bank];
        next_address[reader.bank] += num_pages * point.buffer_bytes();
        for (std::uint32_t page = 0; page < num_pages; ++page) {
            const std::uint32_t offset = page * point.buffer_bytes();
            const MemoryPlace source = dram_place(grid, reader.bank, reader.noc, bank_address + offset);
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
        const std::vector<std::uint32_t> of_meeting = meeting.arguments(reader.riscv);
        arguments.insert(arguments.end(), of_meeting.begin(), of_meeting.end());
        program.add_kernel({reader.core},
                           {"reader", nullptr, reader.riscv, reader.noc, {point.call_size_bytes()}, device_source},
                           meeting.start(index / readers_per_core));
        program.set_runtime_args(reader.core, reader.riscv, arguments);
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

template <Distance distance>
std::vector<KernelReport> run(const Point& point) {
    return run_with(point, distance, "dram_pages/dram_sharded/kernels/device/bank_reader.cpp");
}

std::vector<KernelReport> run_small_pages(const Point& point) {
    point.require_one_packet("a page", point.device().architecture().dram.read_alignment_bytes);
    return run_with(point, Distance::closest, "dram_pages/dram_sharded/kernels/device/small_page_reader.cpp");
}

/// Page sizes are those of tiles of 32 x 32 values: block formats of 4 and 8 bits, and 16 bits.
Sweep small_page_sweep(const Architecture& /*architecture*/, Tier tier) {
    return {{tier == Tier::quick ? 16 : 1024}, {576, 1088, 2048}, {{"noc", {"0", "1", "both"}}}};
}

Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    return tier == Tier::quick ? Sweep{{1, 16}, {2048, 8192}}
                               : Sweep{{1, 4, 16, 64, 256}, {2048, 4096, 8192, 16384, 32768, 65536}};
}

std::vector<ParameterDefinition> parameters(const std::string& noc, const std::string& cores_per_bank) {
    return {{"noc", noc, "NoC that riscv_0 reads on; both: riscv_0 reads on NoC 0, and riscv_1 as much on NoC 1"},
            {"cores_per_bank", cores_per_bank, "cores that read from each bank, as far as there are any left"},
            meeting_parameter()};
}

TestDefinition test(int id, const std::string& where, const std::string& which,
                    std::vector<KernelReport> (*run_point)(const Point&)) {
    return {.id = id,
            .name = fmt::format("Number of Pages Sweep for DRAM {}", where),
            .primitive = "dram_sharded",
            .description = fmt::format("Many cores read pages, each of one bank of DRAM: {}.", which),
            .headings = {"Number of Pages Sweep for DRAM", where},
            .kernels = {"Receiver"},
            .parameters = parameters("1", "3"),
            .sweep = &sweep,
            .run = run_point,
            .kernels_are_compiled = true,
            .num_links = &num_dram_banks,
            .boards = boards_of_memory_2026()};
}

TestDefinition small_pages() {
    TestDefinition definition = test(506, "", "the one that its data reach over the fewest links", &run_small_pages);
    definition.name = "DRAM Small Pages on One and Two NoCs";
    definition.description = "One core for each bank of DRAM reads small pages, on one NoC or on both.";
    definition.headings = {"DRAM Small Pages", "One and Two NoCs"};
    definition.parameters = parameters("0", "1");
    definition.parameters.front().is_swept = true;
    definition.sweep = &small_page_sweep;
    return definition;
}

const RegisterTests registration{{
    test(502, "Closest Neighbour", "those that its data reach over the fewest links", &run<Distance::closest>),
    test(503, "One Hop", "those that its data reach through one router in between", &run<Distance::one_hop>),
    test(504, "Single Row", "those of the first row that its data reach over the fewest links",
         &run<Distance::single_row>),
    small_pages(),
    test(505, "Loop Back", "those that its data reach over the most links", &run<Distance::loop_back>),
}};

}  // namespace

}  // namespace nocbench::dram_sharded
