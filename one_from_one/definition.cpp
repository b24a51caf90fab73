// One core reads from another one.
#include "kernels/frame/parameters.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "one_from_one/kernels/kernels.h"

namespace nocbench::one_from_one {

namespace {

std::vector<KernelReport> run(const Point& point) {
    const LogicalCoordinate requestor_core = point.core("source");
    const LogicalCoordinate responder_core = point.core("destination");
    Program program(point.device());
    // A core that reads from itself needs a second buffer.
    return run_unicast(
        point, program,
        {.kernel = &requestor,
         .kind = TransactionKind::read,
         .initiators = {{requestor_core, {responder_core}}},
         .source_address = requestor_core == responder_core ? point.second_l1_buffer() : point.first_l1_buffer(),
         .destination_address = point.first_l1_buffer(),
         .coordinates = UnicastPlan::Coordinates::x_then_y});
}

const RegisterKernelSources kernel_sources{{
    {&requestor, "one_from_one/kernels/requestor.cpp", "nocbench::one_from_one::requestor"},
}};

const RegisterTests registration{{TestDefinition{
    .id = 5,
    .name = "One from One Packet Sizes",
    .primitive = "one_from_one",
    .description = "One core reads from another core.",
    .headings = {"One from One Packet Sizes"},
    .kernels = {"Receiver"},
    .parameters = joined({{core_parameter("source", "0,0", "logical core that reads"),
                           core_parameter("destination", "1,1", "logical core that is read from")},
                          unicast_parameters(TransactionKind::read)}),
    .sweep = &packet_size_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::one_from_one
