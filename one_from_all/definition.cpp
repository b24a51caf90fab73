// One core reads from many.
#include "device_model/arch/architecture.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/estimator_tests.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "one_from_all/kernels/kernels.h"

namespace nocbench::one_from_all {

namespace {

std::vector<KernelReport> run_with(const Point& point, void (*kernel)(), const std::string& device_source = {},
                                   std::size_t num_run_time_args = 1) {
    const LogicalCoordinate requestor_core = point.core("source");
    Program program(point.device());
    // A core that also reads from itself needs a second buffer.
    return run_unicast(point, program,
                       {.kernel = kernel,
                        .device_source = device_source,
                        .kind = TransactionKind::read,
                        .initiators = {{requestor_core, partners_of(point, requestor_core)}},
                        .source_address = point.flag("loopback") ? point.second_l1_buffer() : point.first_l1_buffer(),
                        .destination_address = point.first_l1_buffer(),
                        .num_run_time_args = num_run_time_args});
}

std::vector<KernelReport> run(const Point& point) { return run_with(point, &requestor); }

std::vector<KernelReport> run_channels(const Point& point) {
    return run_with(point, nullptr, "one_from_all/kernels/device/channels_requestor.cpp");
}

constexpr const char* kObjectRequestor = "one_from_all/kernels/device/object_requestor.cpp";

std::vector<KernelReport> run_2_0(const Point& point) { return run_with(point, nullptr, kObjectRequestor, 2); }

std::vector<KernelReport> run_estimator(const Point& point) { return run_with(point, nullptr, kObjectRequestor); }

/// One call to each core of the default board. The data of all calls together would fill L1.
Sweep ideal_sweep(const Architecture& architecture, Tier /*tier*/) {
    const Board& board = architecture.board("");
    const std::int64_t bytes =
        l1_call_bytes_max(torus_of(architecture)) / (torus_of(board).compute_columns * torus_of(board).compute_rows);
    return {{1}, {bytes - bytes % torus_of(architecture).router.flit_bytes}};
}

Sweep estimator_sweep_of_all(const Architecture& architecture, Tier tier) {
    return estimator_sweep(architecture, tier, {{"stateful", {"0", "1"}}});
}

const RegisterKernelSources kernel_sources{{
    {&requestor, "one_from_all/kernels/requestor.cpp", "nocbench::one_from_all::requestor"},
}};

/// Returns a test definition of this folder; `parameters` are appended to those of the area.
TestDefinition definition(int id, const std::string& name, const std::string& description, bool loopback,
                          const std::vector<ParameterDefinition>& area,
                          const std::vector<ParameterDefinition>& parameters, Sweep (*sweep)(const Architecture&, Tier),
                          std::vector<KernelReport> (*run_point)(const Point&)) {
    const std::string first = "One from All Packet Sizes";
    return {
        .id = id,
        .name = name,
        .primitive = "one_from_all",
        .description = description,
        .headings = name == first ? std::vector{first} : std::vector{first, name},
        .kernels = {"Receiver"},
        .parameters = joined({{core_parameter("source", "0,0", "logical core that reads"),
                               {"loopback", loopback ? "1" : "0", "1: it also reads from itself; 0: it is left out"}},
                              area,
                              parameters}),
        .sweep = sweep,
        .run = run_point,
        .kernels_are_compiled = run_point != &run,
        .has_long_streams = sweep == &virtual_channel_sweep};
}

const auto kKind = TransactionKind::read;

const RegisterTests registration{{
    definition(15, "One from All Packet Sizes",
               "One core reads from the 16 cores of a 4x4 block, one core after the other.", false,
               area_parameters("", "1,1-4,4"), unicast_parameters(kKind), &packet_size_sweep, &run),
    definition(1015, "One from All Packet Sizes 2.0",
               "One core reads from each core of the compute grid, itself included, by the object API.", true,
               area_parameters("all", ""), alternating_channels_parameters(kKind, false), &compiled_packet_size_sweep,
               &run_2_0),
    definition(
        30, "One from All Directed Ideal",
        "One core reads once from each core of the compute grid, itself included, in calls that fill L1 together.",
        true, area_parameters("all", ""), unicast_parameters(kKind), &ideal_sweep, &run),
    definition(156, "One from All Virtual Channels",
               "One core reads from each core of the compute grid, itself included, on one to four virtual channels.",
               true, area_parameters("all", ""), alternating_channels_parameters(kKind), &virtual_channel_sweep,
               &run_channels),
    definition(
        1156, "One from All Virtual Channels 2.0",
        "One core reads from each core of the compute grid, itself included, on one to four virtual channels, by "
        "the object API.",
        true, area_parameters("all", ""), alternating_channels_parameters(kKind), &virtual_channel_sweep, &run_2_0),
    definition(157, "One from All Custom",
               "One core reads from each core of the compute grid, itself included, a flit on each of four virtual "
               "channels.",
               true, area_parameters("all", ""), alternating_channels_parameters(kKind), &virtual_channel_custom_sweep,
               &run_channels),
    estimator_test({.upstream_id = 803,
                    .name = "L1 One from All",
                    .primitive = "one_from_all",
                    .description =
                        "One core reads from each other core of the compute grid, by plain or stateful calls of the "
                        "object API.",
                    .kind = kKind,
                    .parameters = joined({{core_parameter("source", "0,0", "logical core that reads"),
                                           {"loopback", "0", "1: it also reads from itself; 0: it is left out"},
                                           swept_stateful_parameter()},
                                          area_parameters("all", ""),
                                          alternating_channels_parameters(kKind, false)}),
                    .sweep = &estimator_sweep_of_all,
                    .run = &run_estimator}),
}};

}  // namespace

}  // namespace nocbench::one_from_all
