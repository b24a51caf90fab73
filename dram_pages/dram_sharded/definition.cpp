// One core reads tiles from one DRAM bank after another.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "dram_pages/dram_sharded/bank_cores.h"
#include "kernels/frame/data_check.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/published_boards.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/tensix/program.h"

namespace nocbench::dram_sharded {

namespace {

constexpr std::uint32_t kTilesMax = 512;

std::vector<KernelReport> run_with(const Point& point, const std::string& device_source) {
    point.require_one_packet("a tile", point.device().architecture().dram.read_alignment_bytes);
    Device& device = point.device();
    const Grid& grid = device.grid();
    const LogicalCoordinate core = point.core("source");
    const int noc = point.noc();
    const std::uint32_t num_banks = num_banks_of(point);
    const std::uint32_t num_tiles = point.number("tiles", 1, kTilesMax);
    const std::uint32_t tile_bytes = point.call_size_bytes();
    static_cast<void>(point.l1_buffer(num_banks * num_tiles - 1));  // throws if the tiles do not fit L1
    const std::uint32_t l1_address = point.first_l1_buffer();
    const auto bank_address = static_cast<std::uint32_t>(device.architecture().dram.unreserved_base_bytes);

    DataCheck check(point);
    for (std::uint32_t index = 0; index < num_banks * num_tiles; ++index) {
        const std::uint32_t bank = index / num_tiles;
        const std::uint32_t tile = index % num_tiles;
        const MemoryPlace source = dram_place(grid, bank, noc, bank_address + tile * tile_bytes);
        const DataCheck::Data data =
            check.fill(source, static_cast<NodeIndex>(static_cast<std::uint32_t>(grid.num_nodes()) + index));
        check.expect(
            {"reader", TransactionKind::read, source, l1_place(grid, core, l1_address + index * tile_bytes), data});
    }

    Program program(device);
    program.add_kernel({core}, {"reader", nullptr, 0, noc, {tile_bytes, num_tiles}, device_source});
    program.set_runtime_args(core, 0, {point.num_transactions(), num_banks, bank_address, l1_address});
    program.run();

    return {{.label = "Receiver",
             .kernel = "reader",
             .zone = "READ",
             .riscv = 0,
             .noc = noc,
             .transaction_size_bytes = std::uint64_t{num_banks} * num_tiles * tile_bytes,
             .data_fault = check.fault("reader")}};
}

std::vector<KernelReport> run(const Point& point) {
    return run_with(point, "dram_pages/dram_sharded/kernels/device/tile_reader.cpp");
}
std::vector<KernelReport> run_2_0(const Point& point) {
    return run_with(point, "dram_pages/dram_sharded/kernels/device/object_tile_reader.cpp");
}
std::vector<KernelReport> run_with_ids(const Point& point) {
    return run_with(point, "dram_pages/dram_sharded/kernels/device/tile_reader_with_ids.cpp");
}

constexpr std::int64_t kTileBytes = 2048;  // 32 x 32 values of 16 bits

Sweep ideal_sweep(const Architecture& /*architecture*/, Tier tier) {
    return {{tier == Tier::quick ? 4 : 256}, {kTileBytes}};
}

Sweep tile_sweep(const Architecture& /*architecture*/, Tier tier) {
    if (tier == Tier::quick) {
        return {{1, 16}, {kTileBytes}, {{"tiles", {"1", "8"}}}};
    }
    return {{1, 4, 16, 64, 256}, {kTileBytes}, {{"tiles", {"1", "2", "4", "8", "16", "32"}}}};
}

Sweep bank_sweep(const Architecture& architecture, Tier tier) {
    if (tier == Tier::quick) {
        return {{1, 4}, {kTileBytes}, {{"banks", {"1", "4"}}}};
    }
    Sweep sweep{{1, 4, 16, 64, 256}, {kTileBytes}, {{"banks", {}}}};
    const std::size_t num_banks = num_dram_banks(architecture, architecture.board(""));
    for (std::size_t bank = 1; bank <= num_banks; ++bank) {
        sweep.parameters.front().values.push_back(std::to_string(bank));
    }
    return sweep;
}

using RunPoint = std::vector<KernelReport> (*)(const Point&);
using SweepOf = Sweep (*)(const Architecture&, Tier);

TestDefinition test(int id, const std::string& what, SweepOf sweep, RunPoint run_point) {
    std::vector<ParameterDefinition> parameters{
        core_parameter("source", "0,0", "logical core that reads"),
        {"noc", "0", "NoC that riscv_0 reads on"},
        {"banks", "all", "banks of DRAM that are read, one after the other, from the first one on, or all"},
        {"tiles", "32", "tiles that are read of each bank in each transaction, of call_size bytes each"}};
    parameters[2].is_swept = sweep == &bank_sweep;
    parameters[3].is_swept = sweep == &tile_sweep;
    return {.id = id,
            .name = fmt::format("DRAM Sharded Read {}", what),
            .primitive = "dram_sharded",
            .description = "One core reads the tiles of one bank of DRAM after the other.",
            .headings = {"DRAM Sharded Read", what},
            .kernels = {"Receiver"},
            .parameters = std::move(parameters),
            .sweep = sweep,
            .run = run_point,
            .kernels_are_compiled = true,
            .boards = boards_of_2026()};
}

const RegisterTests registration{{
    test(84, "Directed Ideal", &ideal_sweep, &run),
    test(85, "Tile Numbers", &tile_sweep, &run),
    test(86, "Bank Numbers", &bank_sweep, &run),
    test(87, "Directed Ideal with Transaction IDs", &ideal_sweep, &run_with_ids),
    test(184, "Directed Ideal 2.0", &ideal_sweep, &run_2_0),
    test(185, "Tile Numbers 2.0", &tile_sweep, &run_2_0),
    test(186, "Bank Numbers 2.0", &bank_sweep, &run_2_0),
}};

}  // namespace

}  // namespace nocbench::dram_sharded
