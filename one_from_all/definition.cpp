// One core reads from many.
#include "kernels/frame/parameters.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "one_from_all/kernels/kernels.h"

namespace nocbench::one_from_all {

namespace {

std::vector<KernelReport> run(const Point& point) {
    const LogicalCoordinate requestor_core = point.core("source");
    Program program(point.device());
    // A core that also reads from itself needs a second buffer.
    return run_unicast(point, program,
                       {.kernel = &requestor,
                        .kind = TransactionKind::read,
                        .initiators = {{requestor_core, partners_of(point, requestor_core)}},
                        .source_address = point.flag("loopback") ? point.second_l1_buffer() : point.first_l1_buffer(),
                        .destination_address = point.first_l1_buffer()});
}

const RegisterKernelSources kernel_sources{{
    {&requestor, "one_from_all/kernels/requestor.cpp", "nocbench::one_from_all::requestor"},
}};

const RegisterTests registration{{TestDefinition{
    .id = 15,
    .name = "One from All Packet Sizes",
    .primitive = "one_from_all",
    .description = "One core reads from the 16 cores of a 4x4 block, one core after the other.",
    .headings = {"One from All Packet Sizes"},
    .kernels = {"Receiver"},
    .parameters = joined({{core_parameter("source", "0,0", "logical core that reads"),
                           {"loopback", "0", "1: it also reads from itself; 0: it is left out"}},
                          area_parameters("", "1,1-4,4"),
                          unicast_parameters(TransactionKind::read)}),
    .sweep = &packet_size_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::one_from_all
