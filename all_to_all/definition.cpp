// Every core writes to every core.
#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "all_to_all/kernels/kernels.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"

namespace nocbench::all_to_all {

namespace {

std::vector<KernelReport> run_with(const Point& point, std::vector<Initiator> initiators, void (*kernel)(),
                                   const std::string& device_source = {}) {
    Program program(point.device());
    return run_unicast(point, program,
                       {.kernel = kernel,
                        .device_source = device_source,
                        .kind = TransactionKind::write,
                        .initiators = std::move(initiators),
                        .source_address = point.first_l1_buffer(),
                        .destination_address = point.second_l1_buffer(),
                        .coordinates = UnicastPlan::Coordinates::x_then_y});
}

std::vector<KernelReport> run(const Point& point) { return run_with(point, all_with_all(point), &sender); }

std::vector<KernelReport> run_grids(const Point& point) {
    return run_with(point, masters_with_subordinates(point), &sender);
}

std::vector<KernelReport> run_2_0(const Point& point) {
    return run_with(point, masters_with_subordinates(point), nullptr, "all_to_all/kernels/device/object_sender.cpp");
}

std::vector<KernelReport> run_channels(const Point& point) {
    return run_with(point, masters_with_subordinates(point), nullptr, "all_to_all/kernels/device/channels_sender.cpp");
}

const RegisterKernelSources kernel_sources{{
    {&sender, "all_to_all/kernels/sender.cpp", "nocbench::all_to_all::sender"},
}};

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

/// Grids of masters and subordinates of the directed ideals, as published.
struct Grids {
    int id;
    const char* masters;
    const char* subordinates;
};

constexpr std::array<Grids, 6> kIdeals{{{300, "all", "all"},
                                        {302, "2x2", "1x1"},
                                        {303, "4x4", "1x1"},
                                        {304, "1x1", "2x2"},
                                        {305, "1x1", "4x4"},
                                        {306, "2x2", "2x2"}}};

Sweep all_at_once_sweep(const Architecture& architecture, Tier tier) {
    Sweep sweep = all_with_all_sweep(architecture, Tier::quick);
    if (tier == Tier::full) {
        sweep.num_transactions = {1, 4, 16};
        sweep.call_size_bytes = {architecture.router.flit_bytes, 256, 1024, 4096, 16384};
    }
    return sweep;
}

TestDefinition definition(int id, const std::string& name, const std::string& description,
                          std::vector<ParameterDefinition> parameters, Sweep (*sweep)(const Architecture&, Tier),
                          std::vector<KernelReport> (*run_point)(const Point&)) {
    return {.id = id,
            .name = name,
            .primitive = "all_to_all",
            .description = description,
            .headings = {"All to All Packet Sizes", name},
            .kernels = {"Sender"},
            .parameters = std::move(parameters),
            .sweep = sweep,
            .run = run_point};
}

std::vector<TestDefinition> make_tests() {
    const auto kind = TransactionKind::write;
    std::vector<TestDefinition> tests{TestDefinition{
        .id = 60,
        .name = "All to All Packet Sizes",
        .primitive = "all_to_all",
        .description =
            "Every core of the compute grid writes to every core, including itself. Every core addresses the "
            "cores in the same order.",
        .headings = {"All to All Packet Sizes"},
        .kernels = {"Sender"},
        .parameters =
            joined({area_parameters("all", ""), all_with_all_parameters(), unicast_parameters(TransactionKind::write)}),
        .sweep = &all_with_all_sweep,
        .run = &run,
    }};
    for (const Grids& grids : kIdeals) {
        const bool is_full = std::string_view(grids.masters) == "all";
        tests.push_back(definition(
            grids.id,
            is_full ? "All to All Directed Ideal"
                    : fmt::format("All to All {} to {} Directed Ideal", grids.masters, grids.subordinates),
            is_full ? "Every core writes to every core, one call of half of L1."
                    : fmt::format("Each core of a {} grid writes to each of a {} grid, one call of half of L1.",
                                  grids.masters, grids.subordinates),
            joined({master_parameters(grids.masters, grids.subordinates), unicast_parameters(kind)}), &half_l1_sweep,
            &run_grids));
    }
    tests.push_back(definition(307, "All to All Virtual Channels",
                               "Every core of a grid writes to every core, on one to four virtual channels.",
                               joined({master_parameters("4x4", ""), alternating_channels_parameters(kind)}),
                               &quick_of_channels, &run_channels));
    tests.push_back(definition(308, "All to All Custom",
                               "Every core of a grid writes to every core, on four virtual channels.",
                               joined({master_parameters("4x4", ""), alternating_channels_parameters(kind)}),
                               &custom_channels, &run_channels));
    tests.push_back(definition(
        309, "All to All Packet Sizes 2.0", "Every core writes to every core, by the object API, all at once.",
        joined({master_parameters("all", ""), issuer_parameters(kind)}), &all_at_once_sweep, &run_2_0));
    tests.push_back(definition(1301, "All to All Grid Sweep Packet Sizes 2.0",
                               "Every core of a grid writes to every core of it, by the object API, all at once.",
                               joined({master_parameters("2x2", "", true), issuer_parameters(kind)}), &grid_sweep,
                               &run_2_0));
    return tests;
}

const RegisterTests registration{make_tests()};

}  // namespace

}  // namespace nocbench::all_to_all
