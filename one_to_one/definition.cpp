// One core writes to another one.
#include "kernels/frame/parameters.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "one_to_one/kernels/kernels.h"

namespace nocbench::one_to_one {

namespace {

std::vector<KernelReport> run(const Point& point) {
    const LogicalCoordinate source = point.core("source");
    const LogicalCoordinate destination = point.core("destination");
    Program program(point.device());
    const std::uint32_t semaphore = program.add_semaphore({source, destination}, 0);
    // A core that sends to itself needs a second buffer.
    return run_unicast(
        point, program,
        {.kernel = &sender,
         .kind = TransactionKind::write,
         .initiators = {{source, {destination}}},
         .source_address = point.first_l1_buffer(),
         .destination_address = source == destination ? point.second_l1_buffer() : point.first_l1_buffer(),
         .coordinates = UnicastPlan::Coordinates::x_then_y,
         .more_arguments = {semaphore}});
}

const RegisterKernelSources kernel_sources{{
    {&sender, "one_to_one/kernels/sender.cpp", "nocbench::one_to_one::sender"},
}};

const RegisterTests registration{{TestDefinition{
    .id = 4,
    .name = "One to One Packet Sizes",
    .primitive = "one_to_one",
    .description = "One core writes to another core.",
    .headings = {"One to One Packet Sizes"},
    .kernels = {"Sender"},
    .parameters = joined({{core_parameter("source", "0,0", "logical core that writes"),
                           core_parameter("destination", "1,1", "logical core that is written to")},
                          unicast_parameters(TransactionKind::write)}),
    .sweep = &packet_size_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::one_to_one
