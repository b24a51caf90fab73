// One core writes to itself.
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "loopback/kernels/kernels.h"

namespace nocbench::loopback {

namespace {

std::vector<KernelReport> run_with(const Point& point, void (*kernel)(), const std::string& device_source = {}) {
    const LogicalCoordinate core = point.core("source");
    Program program(point.device());
    return run_unicast(point, program,
                       {.kernel = kernel,
                        .device_source = device_source,
                        .kind = TransactionKind::write,
                        .initiators = {{core, {core}}},
                        .source_address = point.first_l1_buffer(),
                        .destination_address = point.second_l1_buffer(),
                        .coordinates = UnicastPlan::Coordinates::x_then_y,
                        .num_run_time_args = 2,
                        .more_arguments = {0}});  // all_to_all's kernel does not meet anybody
}

std::vector<KernelReport> run(const Point& point) { return run_with(point, &sender); }

/// A core that writes to itself is all cores of its grid.
std::vector<KernelReport> run_2_0(const Point& point) {
    return run_with(point, nullptr, "all_to_all/kernels/device/object_sender.cpp");
}

const RegisterKernelSources kernel_sources{{
    {&sender, "loopback/kernels/sender.cpp", "nocbench::loopback::sender"},
}};

/// 128 calls of a 256th of L1, as upstream.
Sweep ideal_sweep(const Architecture& architecture, Tier tier) {
    const std::int64_t bytes = l1_call_bytes_max(torus_of(architecture)) / 256;
    return {{tier == Tier::quick ? 16 : 128}, {bytes - bytes % torus_of(architecture).router.flit_bytes}};
}

TestDefinition definition(int id, const std::string& name, const std::string& variant,
                          const std::vector<ParameterDefinition>& parameters, Sweep (*sweep)(const Architecture&, Tier),
                          std::vector<KernelReport> (*run_point)(const Point&)) {
    const std::string first = "Loopback Packet Sizes";
    return {.id = id,
            .name = name,
            .primitive = "loopback",
            .description = "One core writes to itself, from one buffer to another buffer" + variant + ".",
            .headings = name == first ? std::vector{first} : std::vector{first, name},
            .kernels = {"Sender"},
            .parameters = joined({{core_parameter("source", "0,0", "logical core")}, parameters}),
            .sweep = sweep,
            .run = run_point,
            .kernels_are_compiled = run_point != &run};
}

const auto kKind = TransactionKind::write;

const RegisterTests registration{{
    definition(16, "Loopback Packet Sizes", "", unicast_parameters(kKind), &packet_size_sweep, &run),
    definition(1016, "Loopback Packet Sizes 2.0", ", by the object API", issuer_parameters(kKind),
               &compiled_packet_size_sweep, &run_2_0),
    definition(55, "Loopback Directed Ideal", "", unicast_parameters(kKind), &ideal_sweep, &run),
}};

}  // namespace

}  // namespace nocbench::loopback
