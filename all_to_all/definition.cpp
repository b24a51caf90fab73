// Every core writes to every core.
#include <string>
#include <utility>
#include <vector>

#include "all_to_all/kernels/kernels.h"
#include "kernels/frame/tensix/grid_tests.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"

namespace nocbench::all_to_all {

namespace {

std::vector<KernelReport> run_with(const Point& point, std::vector<Initiator> initiators, void (*kernel)(),
                                   const std::string& device_source = {}, std::size_t num_run_time_args = 1) {
    Program program(point.device());
    return run_unicast(point, program,
                       {.kernel = kernel,
                        .device_source = device_source,
                        .kind = TransactionKind::write,
                        .initiators = std::move(initiators),
                        .source_address = point.first_l1_buffer(),
                        .destination_address = point.second_l1_buffer(),
                        .coordinates = UnicastPlan::Coordinates::x_then_y,
                        .num_run_time_args = num_run_time_args});
}

std::vector<KernelReport> run(const Point& point) { return run_with(point, all_with_all(point), &sender); }

std::vector<KernelReport> run_grids(const Point& point) {
    return run_with(point, masters_with_subordinates(point), &sender);
}

constexpr const char* kObjects = "all_to_all/kernels/device/object_sender.cpp";

std::vector<KernelReport> run_2_0(const Point& point) {
    return run_with(point, masters_with_subordinates(point), nullptr, kObjects, 2);
}

std::vector<KernelReport> run_estimator(const Point& point) {
    return run_with(point, masters_with_subordinates(point), nullptr, kObjects);
}

std::vector<KernelReport> run_channels(const Point& point) {
    return run_with(point, masters_with_subordinates(point), nullptr, "all_to_all/kernels/device/channels_sender.cpp");
}

const RegisterKernelSources kernel_sources{{
    {&sender, "all_to_all/kernels/sender.cpp", "nocbench::all_to_all::sender"},
}};

const RegisterTests registration{grid_tests({.kind = TransactionKind::write,
                                             .primitive = "all_to_all",
                                             .name = "All to All",
                                             .kernel = "Sender",
                                             .verb = "writes to",
                                             .preposition = "to",
                                             .packet_sizes_id = 60,
                                             .first_ideal_id = 300,
                                             .objects_id = 309,
                                             .grid_sweep_id = 1301,
                                             .estimator_id = 804,
                                             .run = &run,
                                             .run_grids = &run_grids,
                                             .run_channels = &run_channels,
                                             .run_objects = &run_2_0,
                                             .run_estimator = &run_estimator})};

}  // namespace

}  // namespace nocbench::all_to_all
