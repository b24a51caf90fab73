// Every core writes to every core.
#include "all_to_all/kernels/kernels.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"

namespace nocbench::all_to_all {

namespace {

std::vector<KernelReport> run(const Point& point) {
    Program program(point.device());
    return run_unicast(point, program,
                       {.kernel = &sender,
                        .kind = TransactionKind::write,
                        .initiators = all_with_all(point),
                        .source_address = point.first_l1_buffer(),
                        .destination_address = point.second_l1_buffer(),
                        .coordinates = UnicastPlan::Coordinates::x_then_y});
}

const RegisterKernelSources kernel_sources{{
    {&sender, "all_to_all/kernels/sender.cpp", "nocbench::all_to_all::sender"},
}};

const RegisterTests registration{{TestDefinition{
    .id = 60,
    .name = "All to All Packet Sizes",
    .primitive = "all_to_all",
    .description = "Every core of the compute grid writes to every core, including itself. Every core addresses the "
                   "cores in the same order.",
    .headings = {"All to All Packet Sizes"},
    .kernels = {"Sender"},
    .parameters =
        joined({area_parameters("all", ""), all_with_all_parameters(), unicast_parameters(TransactionKind::write)}),
    .sweep = &all_with_all_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::all_to_all
