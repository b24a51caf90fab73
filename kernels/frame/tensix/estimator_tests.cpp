#include "kernels/frame/tensix/estimator_tests.h"

#include <fmt/format.h>

#include <utility>

#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/tensix/published_boards.h"
#include "kernels/frame/tensix/sweeps.h"

namespace nocbench {

namespace {

constexpr int kIdOffset = 1000;

}  // namespace

TestDefinition estimator_test(const EstimatorTest& test) {
    return {.id = test.upstream_id + kIdOffset,
            .name = fmt::format("Noc Estimator - {}", test.name),
            .primitive = test.primitive,
            .description = test.description,
            .headings = {"Noc Estimator", test.name},
            .kernels = {test.kind == TransactionKind::read ? "Receiver" : "Sender"},
            .parameters = test.parameters,
            .sweep = test.sweep,
            .run = test.run,
            .kernels_are_compiled = true,
            .has_long_streams = test.has_one_core,
            .boards = boards_of_2026()};
}

ParameterDefinition swept_stateful_parameter() {
    return {"stateful", "0", "1: what calls have in common is set up once per destination", false, true};
}

Sweep estimator_sweep(const Architecture& architecture, Tier tier, std::vector<SweptParameter> parameters) {
    Sweep sweep = tier == Tier::quick ? Sweep{{4}, {2048}} : packet_size_sweep(architecture, tier);
    sweep.parameters = std::move(parameters);
    return sweep;
}

std::vector<std::string> estimator_grids(const Architecture& architecture, Tier tier) {
    if (tier == Tier::quick) {
        return {"2x2"};
    }
    const auto& board = torus_of(architecture.board(""));
    std::vector<std::string> grids;
    for (const std::int64_t side : {2, 3, 5, 8}) {
        const bool is_whole = side == board.compute_columns && side == board.compute_rows;
        if (side <= board.compute_columns && side <= board.compute_rows && !is_whole) {
            grids.push_back(fmt::format("{0}x{0}", side));
        }
    }
    grids.emplace_back("all");
    return grids;
}

}  // namespace nocbench
