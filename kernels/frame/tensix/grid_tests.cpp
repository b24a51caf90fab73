#include "kernels/frame/tensix/grid_tests.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/estimator_tests.h"
#include "kernels/frame/tensix/published_boards.h"
#include "kernels/frame/tensix/sweeps.h"

namespace nocbench {

namespace {

Sweep quick_of_channels(const Architecture& architecture, Tier tier) {
    Sweep sweep = virtual_channel_sweep(architecture, Tier::quick);
    sweep.num_transactions = tier == Tier::quick ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{1, 16};
    return sweep;
}

Sweep custom_channels(const Architecture& architecture, Tier /*tier*/) {
    Sweep sweep = virtual_channel_custom_sweep(architecture, Tier::quick);
    sweep.num_transactions = {1};
    return sweep;
}

/// Grids of a published test "Directed Ideal": cores that issue calls, and their partners.
struct Grids {
    int id_after_first;
    const char* masters;
    const char* subordinates;
};

constexpr std::array<Grids, 6> kIdeals{
    {{0, "all", "all"}, {2, "2x2", "1x1"}, {3, "4x4", "1x1"}, {4, "1x1", "2x2"}, {5, "1x1", "4x4"}, {6, "2x2", "2x2"}}};
constexpr int kChannelsAfterFirst = 7;
constexpr int kCustomAfterFirst = 8;

Sweep all_at_once_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep = all_with_all_sweep(architecture, Tier::quick);
    if (tier == Tier::full) {
        sweep.num_transactions = {1, 4, 16};
        sweep.call_size_bytes = {torus_of(architecture).router.flit_bytes, 256, 1024, 4096, 16384};
    }
    return sweep;
}

/// Leaves out the longest of upstream's points: many or long calls between many cores.
Sweep estimator_sweep_of_grids(const Architecture& architecture, Tier tier) {
    constexpr std::int64_t kMostTransactions = 16;
    constexpr std::int64_t kMostBytes = 4096;
    Sweep sweep = estimator_sweep(architecture, tier, {{"master_grid", estimator_grids(architecture, tier)}});
    for (const char* grid : {"5x5", "8x8", "all"}) {
        for (const std::int64_t count : sweep.num_transactions) {
            if (count > kMostTransactions) {
                sweep.left_out.push_back({{"master_grid", grid}, {"num_transactions", std::to_string(count)}});
            }
        }
    }
    for (const char* grid : {"8x8", "all"}) {
        for (const std::int64_t bytes : sweep.call_size_bytes) {
            if (bytes > kMostBytes) {
                sweep.left_out.push_back({{"master_grid", grid}, {"call_size", std::to_string(bytes)}});
            }
        }
    }
    return sweep;
}

}  // namespace

std::vector<TestDefinition> grid_tests(const GridFamily& family) {
    const std::string first = fmt::format("{} Packet Sizes", family.name);
    std::vector<TestDefinition> tests;
    const auto add = [&](int id, const std::string& name, const std::string& description,
                         std::vector<ParameterDefinition> parameters, Sweep (*sweep)(const Architecture&, Tier),
                         GridFamily::Run run) {
        tests.push_back(
            {.id = id,
             .name = name,
             .primitive = family.primitive,
             .description = description,
             .headings = name == first ? std::vector{first} : std::vector{first, name},
             .kernels = {family.kernel},
             .parameters = std::move(parameters),
             .sweep = sweep,
             .run = run,
             .kernels_are_compiled = run != family.run && run != family.run_grids,
             .boards = run == family.run_objects ? boards_of_2026() : std::map<std::string, std::string>{}});
    };
    add(family.packet_sizes_id, first,
        fmt::format("Every core of the compute grid {} every core, including itself. Every core addresses the cores in "
                    "the same order.",
                    family.verb),
        joined({area_parameters("all", ""), all_with_all_parameters(), unicast_parameters(family.kind)}),
        &all_with_all_sweep, family.run);
    for (const Grids& grids : kIdeals) {
        const bool is_full = std::string_view(grids.masters) == "all";
        add(family.first_ideal_id + grids.id_after_first,
            is_full ? fmt::format("{} Directed Ideal", family.name)
                    : fmt::format("{} {} {} {} Directed Ideal", family.name, grids.masters, family.preposition,
                                  grids.subordinates),
            is_full ? fmt::format("Every core {} every core, one call of half of L1.", family.verb)
                    : fmt::format("Each core of a {} grid {} each of a {} grid, one call of half of L1.", grids.masters,
                                  family.verb, grids.subordinates),
            joined({master_parameters(grids.masters, grids.subordinates), unicast_parameters(family.kind)}),
            &half_l1_sweep, family.run_grids);
    }
    const auto on_channels = joined({master_parameters("4x4", ""), alternating_channels_parameters(family.kind)});
    add(family.first_ideal_id + kChannelsAfterFirst, fmt::format("{} Virtual Channels", family.name),
        fmt::format("Every core of a grid {} every core, on one to four virtual channels.", family.verb), on_channels,
        &quick_of_channels, family.run_channels);
    add(family.first_ideal_id + kCustomAfterFirst, fmt::format("{} Custom", family.name),
        fmt::format("Every core of a grid {} every core, on four virtual channels.", family.verb), on_channels,
        &custom_channels, family.run_channels);
    add(family.objects_id, fmt::format("{} Packet Sizes 2.0", family.name),
        fmt::format("Every core {} every core, by the object API, all at once.", family.verb),
        joined({master_parameters("all", ""), issuer_parameters(family.kind)}), &all_at_once_sweep, family.run_objects);
    add(family.grid_sweep_id, fmt::format("{} Grid Sweep Packet Sizes 2.0", family.name),
        fmt::format("Every core of a grid {} every core of it, by the object API, all at once.", family.verb),
        joined({master_parameters("2x2", "", true), issuer_parameters(family.kind)}), &grid_sweep, family.run_objects);
    tests.push_back(
        estimator_test({.upstream_id = family.estimator_id,
                        .name = fmt::format("L1 {}", family.name),
                        .primitive = family.primitive,
                        .description = fmt::format(
                            "Every core of a grid {} every core of it, by the object API, all at once.", family.verb),
                        .kind = family.kind,
                        .parameters = joined({master_parameters("2x2", "", true), processor_parameters(family.kind)}),
                        .sweep = &estimator_sweep_of_grids,
                        .run = family.run_estimator,
                        .has_one_core = false}));
    return tests;
}

}  // namespace nocbench
