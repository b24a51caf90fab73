// One core writes to itself.
#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "loopback/kernels/kernels.h"

namespace nocbench::loopback {

namespace {

std::vector<KernelReport> run(const Point& point) {
    const LogicalCoordinate core = point.core("source");
    Program program(point.device());
    return run_unicast(point, program,
                       {.kernel = &sender,
                        .kind = TransactionKind::write,
                        .initiators = {{core, {core}}},
                        .source_address = point.first_l1_buffer(),
                        .destination_address = point.second_l1_buffer()});
}

const RegisterKernelSources kernel_sources{{
    {&sender, "loopback/kernels/sender.cpp", "nocbench::loopback::sender"},
}};

/// 128 calls of a 256th of L1, as upstream.
Sweep ideal_sweep(const Architecture& architecture, Tier tier) {
    const std::int64_t bytes = l1_call_bytes_max(torus_of(architecture)) / 256;
    return {{tier == Tier::quick ? 16 : 128}, {bytes - bytes % torus_of(architecture).router.flit_bytes}};
}

TestDefinition definition(int id, const std::string& name, Sweep (*sweep)(const Architecture&, Tier)) {
    const std::string first = "Loopback Packet Sizes";
    return {.id = id,
            .name = name,
            .primitive = "loopback",
            .description = "One core writes to itself, from one buffer to another buffer.",
            .headings = name == first ? std::vector{first} : std::vector{first, name},
            .kernels = {"Sender"},
            .parameters =
                joined({{core_parameter("source", "0,0", "logical core")}, unicast_parameters(TransactionKind::write)}),
            .sweep = sweep,
            .run = &run};
}

const RegisterTests registration{{
    definition(16, "Loopback Packet Sizes", &packet_size_sweep),
    definition(55, "Loopback Directed Ideal", &ideal_sweep),
}};

}  // namespace

}  // namespace nocbench::loopback
