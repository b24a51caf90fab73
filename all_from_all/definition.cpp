// Every core reads from every core.
#include "all_from_all/kernels/kernels.h"
#include "kernels/frame/parameters.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"

namespace nocbench::all_from_all {

namespace {

std::vector<KernelReport> run(const Point& point) {
    Program program(point.device());
    return run_unicast(point, program,
                       {.kernel = &requestor,
                        .kind = TransactionKind::read,
                        .initiators = all_with_all(point),
                        .source_address = point.first_l1_buffer(),
                        .destination_address = point.second_l1_buffer(),
                        .coordinates = UnicastPlan::Coordinates::x_then_y});
}

const RegisterKernelSources kernel_sources{{
    {&requestor, "all_from_all/kernels/requestor.cpp", "nocbench::all_from_all::requestor"},
}};

const RegisterTests registration{{TestDefinition{
    .id = 70,
    .name = "All from All Packet Sizes",
    .primitive = "all_from_all",
    .description = "Every core of the compute grid reads from every core, including itself. Every core addresses the "
                   "cores in the same order.",
    .headings = {"All from All Packet Sizes"},
    .kernels = {"Receiver"},
    .parameters =
        joined({area_parameters("all", ""), all_with_all_parameters(), unicast_parameters(TransactionKind::read)}),
    .sweep = &all_with_all_sweep,
    .run = &run,
}}};

}  // namespace

}  // namespace nocbench::all_from_all
