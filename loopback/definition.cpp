// One core writes to itself.
#include "kernels/frame/parameters.h"
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

const RegisterTests registration{{TestDefinition{
    .id = 16,
    .name = "Loopback Packet Sizes",
    .primitive = "loopback",
    .description = "One core writes to itself, from one buffer to another buffer.",
    .headings = {"Loopback Packet Sizes"},
    .kernels = {"Sender"},
    .parameters =
        joined({{core_parameter("source", "0,0", "logical core")}, unicast_parameters(TransactionKind::write)}),
    .sweep = &packet_size_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::loopback
