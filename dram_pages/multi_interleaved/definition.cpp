// Many cores read the pages of a buffer interleaved over the banks of DRAM, and write them to another such buffer.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/meeting.h"
#include "kernels/frame/pages/page_transfers.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/primitive.h"
#include "kernels/frame/tensix/published_boards.h"
#include "kernels/frame/tensix/sweeps.h"

namespace nocbench::multi_interleaved {

namespace {

/// Directions of a test's transfers.
enum class Directions : std::uint8_t { both, read, write };

constexpr const char* name_of(Directions directions) {
    return directions == Directions::both ? "" : directions == Directions::read ? "Read " : "Write ";
}

/// Reads use riscv_0 and NoC 0; writes use riscv_1 and NoC 1.
template <Directions directions>
std::vector<KernelReport> run(const Point& point) {
    PagePlan plan;
    plan.cores = cores_of(point.rectangle());
    plan.share = point.choice("pages", {"own", "shared"}) == 0 ? PageShare::own : PageShare::all;
    plan.meets = true;
    plan.l1_pages = directions == Directions::both ? 2 : plan.pages_max;  // two for double buffering
    plan.summary = CoreSummary::together;
    if (directions != Directions::write) {
        plan.reader = {.device_source = "dram_pages/multi_interleaved/kernels/device/reader.cpp", .riscv = 0, .noc = 0};
    }
    if (directions != Directions::read) {
        plan.writer = {.device_source = "dram_pages/multi_interleaved/kernels/device/writer.cpp", .riscv = 1, .noc = 1};
    }
    return run_pages(point, plan);
}

Sweep size_sweep(const Architecture& architecture, Tier tier) {
    return tier == Tier::quick ? Sweep{{1, 16}, {torus_of(architecture).router.flit_bytes, 1024}}
                               : page_sweep(architecture, tier);
}

Sweep ideal_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep = ideal_page_sweep(architecture, tier);
    if (tier == Tier::quick) {
        sweep.num_transactions = {16};
    }
    return sweep;
}

/// Returns the common sweep of the tests of 2026, whose grids begin at core (0, 0).
Sweep grid_sweep(const Architecture& architecture, Tier tier) {
    const std::int64_t flit_bytes = torus_of(architecture).router.flit_bytes;
    if (tier == Tier::quick) {
        return {{16}, {2048}, {{"grid", {"2x2", "all"}}}};
    }
    return {{1, 4, 16, 64, 256},
            {flit_bytes, 4 * flit_bytes, 1024, 2048, 4096, 8192},
            {{"grid", {"1x1", "2x2", "4x4", "6x6", "all"}}}};
}

using RunPoint = std::vector<KernelReport> (*)(const Point&);
using SweepOf = Sweep (*)(const Architecture&, Tier);

struct Direction {
    Directions directions = Directions::both;
    RunPoint run_point = nullptr;
    const char* does;
    std::vector<std::string> kernels;
};

TestDefinition test(int id, const Direction& direction, const std::string& grid, const std::string& last_words,
                    SweepOf sweep) {
    const std::string name =
        fmt::format("{}{}{}", grid == "all" ? "" : grid + " ", name_of(direction.directions), last_words);
    std::vector<ParameterDefinition> area = area_parameters(grid, "");
    area.front().is_swept = sweep == &grid_sweep;
    return {.id = id,
            .name = fmt::format("Multi Interleaved {}", name),
            .primitive = "multi_interleaved",
            .description =
                fmt::format("Many cores {} buffers that are interleaved over the banks of DRAM.", direction.does),
            .headings = {"Multi Interleaved", name},
            .kernels = direction.kernels,
            .parameters =
                joined({std::move(area),
                        {{"pages", "own", "own: each core moves pages of its own; shared: all move the same ones"},
                         start_parameter("barrier")}}),
            .sweep = sweep,
            .run = direction.run_point,
            .kernels_are_compiled = true,
            .num_links = &num_dram_banks,
            .boards = boards_of_2026()};
}

std::vector<TestDefinition> tests() {
    const std::vector<Direction> directions{
        {Directions::both, &run<Directions::both>, "copy the pages of", {"Receiver", "Sender"}},
        {Directions::read, &run<Directions::read>, "read the pages of", {"Receiver"}},
        {Directions::write, &run<Directions::write>, "write the pages of", {"Sender"}},
    };
    // Ids are upstream's plus 1000, as upstream's belong to other tests here.
    int id = 1110;
    std::vector<TestDefinition> all;
    for (const char* grid : {"all", "2x2", "6x6"}) {
        for (const Direction& direction : directions) {
            all.push_back(test(id++, direction, grid, "Directed Ideal", &ideal_sweep));
            all.push_back(test(id++, direction, grid, "Sizes", &size_sweep));
        }
    }
    for (const Direction& direction : directions) {
        all.push_back(test(id++, direction, "all", "Grid Sweep", &grid_sweep));
    }
    return all;
}

const RegisterTests registration{tests()};

}  // namespace

}  // namespace nocbench::multi_interleaved
