// Every core reads from every core.
#include <string>
#include <utility>
#include <vector>

#include "all_from_all/kernels/kernels.h"
#include "kernels/frame/tensix/grid_tests.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"

namespace nocbench::all_from_all {

namespace {

std::vector<KernelReport> run_with(const Point& point, std::vector<Initiator> initiators, void (*kernel)(),
                                   const std::string& device_source = {}, std::size_t num_run_time_args = 1) {
    Program program(point.device());
    return run_unicast(point, program,
                       {.kernel = kernel,
                        .device_source = device_source,
                        .kind = TransactionKind::read,
                        .initiators = std::move(initiators),
                        .source_address = point.first_l1_buffer(),
                        .destination_address = point.second_l1_buffer(),
                        .coordinates = UnicastPlan::Coordinates::x_then_y,
                        .num_run_time_args = num_run_time_args});
}

std::vector<KernelReport> run(const Point& point) { return run_with(point, all_with_all(point), &requestor); }

std::vector<KernelReport> run_grids(const Point& point) {
    return run_with(point, masters_with_subordinates(point), &requestor);
}

constexpr const char* kObjects = "all_from_all/kernels/device/object_requestor.cpp";

std::vector<KernelReport> run_2_0(const Point& point) {
    return run_with(point, masters_with_subordinates(point), nullptr, kObjects, 2);
}

std::vector<KernelReport> run_estimator(const Point& point) {
    return run_with(point, masters_with_subordinates(point), nullptr, kObjects);
}

std::vector<KernelReport> run_channels(const Point& point) {
    return run_with(point, masters_with_subordinates(point), nullptr,
                    "all_from_all/kernels/device/channels_requestor.cpp");
}

const RegisterKernelSources kernel_sources{{
    {&requestor, "all_from_all/kernels/requestor.cpp", "nocbench::all_from_all::requestor"},
}};

const RegisterTests registration{grid_tests({.kind = TransactionKind::read,
                                             .primitive = "all_from_all",
                                             .name = "All from All",
                                             .kernel = "Receiver",
                                             .verb = "reads from",
                                             .preposition = "from",
                                             .packet_sizes_id = 70,
                                             .first_ideal_id = 310,
                                             .objects_id = 1318,
                                             .grid_sweep_id = 1311,
                                             .estimator_id = 805,
                                             .run = &run,
                                             .run_grids = &run_grids,
                                             .run_channels = &run_channels,
                                             .run_objects = &run_2_0,
                                             .run_estimator = &run_estimator})};

}  // namespace

}  // namespace nocbench::all_from_all
