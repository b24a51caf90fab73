// Cores near DRAM banks read pages. Each core reads from one bank.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device_model/sim/error.h"
#include "dram_pages/dram_sharded/bank_cores.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/meeting.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/published_boards.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/program.h"

namespace nocbench::dram_sharded {

namespace {

constexpr std::uint32_t kTilePageBytes = 2048;  // 32 x 32 values of 16 bits

/// Pages that each reader reads of its bank, in rounds from the first page on.
struct Pages {
    std::uint32_t page_bytes = 0;
    std::uint32_t stride_bytes = 0;  // between pages in memory
    std::uint32_t num_pages = 0;
    std::uint32_t num_reads = 0;

    [[nodiscard]] std::uint32_t num_rounds() const { return num_reads / num_pages; }
    [[nodiscard]] std::uint32_t num_after_rounds() const { return num_reads % num_pages; }
};

struct Reader {
    LogicalCoordinate core;
    std::uint32_t bank = 0;
    int riscv = 0;
    int noc = 0;
};

/// Returns the cores of the first `banks` banks: `cores` in all, as they are dealt to the banks in turn.
std::vector<Reader> place(const Point& point, Side side, int noc) {
    const Grid& grid = point.device().grid();
    const std::vector<BankCore> cores = cores_of_banks(
        grid, {.side = side,
               .noc = noc,
               .num_banks = num_banks_of(point),
               .cores_per_bank =
                   point.says("cores_per_bank", "row")
                       ? static_cast<std::uint32_t>(grid.compute_columns())
                       : point.number("cores_per_bank", 1, static_cast<std::uint32_t>(grid.compute_columns()))});
    const std::size_t num_cores =
        point.says("cores", "all") ? cores.size() : point.number("cores", 1, static_cast<std::uint32_t>(cores.size()));
    std::vector<Reader> readers;
    readers.reserve(num_cores);
    for (std::size_t index = 0; index < num_cores; ++index) {
        readers.push_back({.core = cores[index].core, .bank = cores[index].bank, .riscv = 0, .noc = noc});
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

std::vector<KernelReport> run_with(const Point& point, Side side, const Pages& pages,
                                   const std::string& device_source) {
    Device& device = point.device();
    const Grid& grid = device.grid();
    const bool is_on_both = point.says("noc", "both");
    const int noc = is_on_both ? 0 : point.noc();
    std::vector<Reader> readers = place(point, side, noc);
    std::vector<LogicalCoordinate> cores;
    cores.reserve(readers.size());
    for (const Reader& reader : readers) {
        cores.push_back(reader.core);
    }
    const std::size_t readers_per_core = is_on_both ? kNumNocs : 1;
    if (is_on_both) {
        readers = on_both_nocs(readers);
    }
    const std::uint32_t buffers_per_reader = pages.num_pages * pages.stride_bytes / point.buffer_bytes();
    // Throws if the pages do not fit L1.
    static_cast<void>(point.l1_buffer(static_cast<std::uint32_t>(readers_per_core) * buffers_per_reader - 1));

    Program program(device);
    const Meeting meeting(point, program, cores, static_cast<std::uint32_t>(readers_per_core));
    DataCheck check(point);
    const auto bank_address = static_cast<std::uint32_t>(device.architecture().dram.unreserved_base_bytes);
    std::map<MemoryPlace, DataCheck::Data> data;  // by first place that shows it
    for (std::size_t index = 0; index < readers.size(); ++index) {
        const Reader& reader = readers[index];
        const std::uint32_t l1_address =
            point.l1_buffer(static_cast<std::uint32_t>(index % readers_per_core) * buffers_per_reader);
        for (std::uint32_t page = 0; page < pages.num_pages; ++page) {
            const std::uint32_t offset = page * pages.stride_bytes;
            // All readers of a bank read the same pages, as upstream.
            const auto [filled, is_new] = data.try_emplace(dram_place(grid, reader.bank, 0, bank_address + offset));
            if (is_new) {
                const std::size_t number = std::size_t{reader.bank} * pages.num_pages + page;
                filled->second = check.fill(filled->first,
                                            static_cast<NodeIndex>(static_cast<std::size_t>(grid.num_nodes()) + number),
                                            pages.page_bytes);
            }
            check.expect({"reader", TransactionKind::read,
                          dram_place(grid, reader.bank, reader.noc, bank_address + offset),
                          l1_place(grid, reader.core, l1_address + offset), filled->second,
                          pages.num_rounds() + (page < pages.num_after_rounds() ? 1 : 0)});
        }
        std::vector<std::uint32_t> arguments{
            reader.bank, bank_address, pages.num_pages, pages.num_rounds(), pages.num_after_rounds(), l1_address};
        const std::vector<std::uint32_t> of_meeting = meeting.arguments(reader.riscv);
        arguments.insert(arguments.end(), of_meeting.begin(), of_meeting.end());
        program.add_kernel({reader.core},
                           {"reader", nullptr, reader.riscv, reader.noc, {pages.page_bytes}, device_source},
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

/// Each transaction reads the same pages, of `call_size` bytes together.
template <Side side>
std::vector<KernelReport> run(const Point& point) {
    const std::uint32_t size = point.call_size_bytes();
    if (size % kTilePageBytes != 0) {
        throw InputError(fmt::format("parameter call_size: expected a multiple of a page of {} bytes, found {}",
                                     kTilePageBytes, size));
    }
    const std::uint32_t num_pages = size / kTilePageBytes;
    return run_with(point, side,
                    {.page_bytes = kTilePageBytes,
                     .stride_bytes = kTilePageBytes,
                     .num_pages = num_pages,
                     .num_reads = num_pages * point.num_transactions()},
                    "dram_pages/dram_sharded/kernels/device/bank_reader.cpp");
}

/// Each transaction reads one page; the pages of a reader are repeated after the 16th.
std::vector<KernelReport> run_small_pages(const Point& point) {
    constexpr std::uint32_t kPagesMax = 16;
    point.require_one_packet("a page", point.device().architecture().dram.read_alignment_bytes);
    return run_with(point, Side::both,
                    {.page_bytes = point.call_size_bytes(),
                     .stride_bytes = point.buffer_bytes(),
                     .num_pages = std::min(point.num_transactions(), kPagesMax),
                     .num_reads = point.num_transactions()},
                    "dram_pages/dram_sharded/kernels/device/small_page_reader.cpp");
}

/// Page sizes are those of tiles of 32 x 32 values: block formats of 4 and 8 bits, and 16 bits.
Sweep small_page_sweep(const Architecture& /*architecture*/, Tier tier) {
    return {{tier == Tier::quick ? 16 : 1024}, {576, 1088, 2048}, {{"noc", {"0", "1", "both"}}}};
}

Sweep sweep(const Architecture& /*architecture*/, Tier tier) {
    return tier == Tier::quick ? Sweep{{1, 16}, {2048, 8192}}
                               : Sweep{{1, 4, 16, 64, 256}, {2048, 4096, 8192, 16384, 32768, 65536}};
}

std::vector<ParameterDefinition> parameters(const std::string& noc, const std::string& banks,
                                            const std::string& cores_per_bank) {
    return {{"noc", noc, "NoC that riscv_0 reads on; both: riscv_0 reads on NoC 0, and riscv_1 as much on NoC 1"},
            {"banks", banks, "banks of DRAM that are read, from the first one on, or all"},
            {"cores_per_bank", cores_per_bank, "most cores that read from one bank; row: all cores of a row"},
            {"cores", "all", "cores in all, dealt to the banks in turn, or all that the banks have"},
            start_parameter("barrier")};
}

TestDefinition test(int id, const std::string& where, const std::string& which,
                    std::vector<ParameterDefinition> parameters, std::vector<KernelReport> (*run_point)(const Point&)) {
    return {.id = id,
            .name = fmt::format("Number of Pages Sweep for DRAM {}", where),
            .primitive = "dram_sharded",
            .description = fmt::format("Cores read pages, each of one bank of DRAM: {}.", which),
            .headings = {"Number of Pages Sweep for DRAM", where},
            .kernels = {"Receiver"},
            .parameters = std::move(parameters),
            .sweep = &sweep,
            .run = run_point,
            .kernels_are_compiled = true,
            .num_links = &num_dram_banks,
            .boards = boards_of_2026()};
}

TestDefinition small_pages() {
    TestDefinition definition = test(506, "", "", parameters("0", "all", "1"), &run_small_pages);
    definition.name = "DRAM Small Pages on One and Two NoCs";
    definition.description = "One core for each bank of DRAM reads small pages, on one NoC or on both.";
    definition.headings = {"DRAM Small Pages", "One and Two NoCs"};
    definition.parameters.front().is_swept = true;
    definition.sweep = &small_page_sweep;
    return definition;
}

const RegisterTests registration{{
    test(502, "Closest Neighbour", "of every bank, the core next to it, and its neighbours on both sides",
         parameters("0", "all", "3"), &run<Side::both>),
    test(503, "One Hop", "of the first bank, the core next to it and its right neighbour", parameters("0", "1", "2"),
         &run<Side::right>),
    test(504, "Single Row", "of the first bank, all cores in the row of the core next to it",
         parameters("0", "1", "row"), &run<Side::right>),
    small_pages(),
    test(505, "Loop Back", "of the first bank, the core next to it and its left neighbour", parameters("0", "1", "2"),
         &run<Side::left>),
}};

}  // namespace

}  // namespace nocbench::dram_sharded
