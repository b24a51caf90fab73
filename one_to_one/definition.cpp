// One core writes to another core.
#include <fmt/format.h>

#include <utility>

#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/estimator_tests.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "one_to_one/kernels/kernels.h"

namespace nocbench::one_to_one {

namespace {

std::vector<KernelReport> run_between(const Point& point, LogicalCoordinate source, LogicalCoordinate destination,
                                      void (*kernel)(), const std::string& device_source) {
    Program program(point.device());
    const std::uint32_t semaphore = program.add_semaphore({source, destination}, 0);
    // A core that sends to itself needs a second buffer.
    return run_unicast(
        point, program,
        {.kernel = kernel,
         .device_source = device_source,
         .kind = TransactionKind::write,
         .initiators = {{source, {destination}}},
         .source_address = point.first_l1_buffer(),
         .destination_address = source == destination ? point.second_l1_buffer() : point.first_l1_buffer(),
         .coordinates = UnicastPlan::Coordinates::x_then_y,
         .more_arguments = {semaphore}});
}

std::vector<KernelReport> run_with(const Point& point, void (*kernel)(), const std::string& device_source = {}) {
    return run_between(point, point.core("source"), point.core("destination"), kernel, device_source);
}

std::vector<KernelReport> run(const Point& point) { return run_with(point, &sender); }

constexpr const char* kObjectSender = "one_to_one/kernels/device/object_sender.cpp";

std::vector<KernelReport> run_2_0(const Point& point) { return run_with(point, nullptr, kObjectSender); }

std::vector<KernelReport> run_estimator(const Point& point) {
    return run_between(point, {0, 0}, {point.flag("same_axis") ? 0 : 1, 1}, nullptr, kObjectSender);
}

std::vector<KernelReport> run_channels(const Point& point) {
    return run_with(point, nullptr, "one_to_one/kernels/device/channels_sender.cpp");
}

std::vector<KernelReport> run_one_packet(const Point& point) {
    point.require_one_packet("a call");
    return run_with(point, nullptr, "one_to_one/kernels/device/one_packet_sender.cpp");
}

std::vector<KernelReport> run_one_packet_2_0(const Point& point) {
    point.require_one_packet("a call");
    return run_with(point, nullptr, "one_to_one/kernels/device/object_one_packet_sender.cpp");
}

const RegisterKernelSources kernel_sources{{
    {&sender, "one_to_one/kernels/sender.cpp", "nocbench::one_to_one::sender"},
}};

/// Returns a test definition of this folder; `parameters` are appended to those of the two cores.
TestDefinition definition(int id, const std::string& name, const std::string& variant, const std::string& destination,
                          const std::vector<ParameterDefinition>& parameters, Sweep (*sweep)(const Architecture&, Tier),
                          std::vector<KernelReport> (*run_point)(const Point&)) {
    const std::string first = "One to One Packet Sizes";
    return {.id = id,
            .name = name,
            .primitive = "one_to_one",
            .description = "One core writes to another one" + (variant.empty() ? "." : ", " + variant + "."),
            .headings = variant.empty() ? std::vector{first} : std::vector{first, name},
            .kernels = {"Sender"},
            .parameters = joined({{core_parameter("source", "0,0", "logical core that writes"),
                                   core_parameter("destination", destination, "logical core that is written to")},
                                  parameters}),
            .sweep = sweep,
            .run = run_point,
            .kernels_are_compiled = run_point != &run,
            .has_long_streams = sweep == &directed_ideal_sweep};
}

Sweep estimator_sweep_of_two(const Architecture& architecture, Tier tier) {
    return estimator_sweep(architecture, tier, {{"same_axis", {"1", "0"}}, {"stateful", {"0", "1"}}});
}

const auto kKind = TransactionKind::write;

/// Returns a sweep over a receiver and the four cores around it.
template <int kX, int kY>
Sweep shift_sweep(const Architecture& /*architecture*/, Tier tier) {
    Sweep sweep{{tier == Tier::quick ? 16 : 256}, {64, 1024, 8192}, {{"destination", {}}}};
    for (const auto& [x, y] : {std::pair(0, 0), std::pair(-1, 0), std::pair(1, 0), std::pair(0, 1), std::pair(0, -1)}) {
        sweep.parameters.front().values.push_back(fmt::format("{},{}", kX + x, kY + y));
    }
    return sweep;
}

TestDefinition core_shift(int id, const std::string& variant, const std::string& source, const std::string& destination,
                          Sweep (*sweep)(const Architecture&, Tier)) {
    TestDefinition test = definition(id, "Core Shift" + variant, "which is moved by one core in each direction",
                                     destination, unicast_parameters(kKind), sweep, &run);
    test.parameters[0].default_value = source;
    test.parameters[1].is_swept = true;
    test.only_on = "quasar";
    return test;
}

const RegisterTests registration{{
    definition(4, "One to One Packet Sizes", "", "1,1", unicast_parameters(kKind), &packet_size_sweep, &run),
    definition(158, "One to One Packet Sizes 2.0", "by the object API", "1,1", issuer_parameters(kKind),
               &compiled_packet_size_sweep, &run_2_0),
    definition(50, "One to One Directed Ideal", "in the longest calls", "0,1", unicast_parameters(kKind),
               &directed_ideal_sweep, &run),
    definition(150, "One to One Virtual Channels", "on one to four virtual channels", "0,1",
               alternating_channels_parameters(kKind), &virtual_channel_sweep, &run_channels),
    definition(151, "One to One Custom", "a flit on each of four virtual channels", "0,1",
               alternating_channels_parameters(kKind), &virtual_channel_custom_sweep, &run_channels),
    definition(81, "One Packet Write Sizes", "packet by packet by stateful calls", "0,1", issuer_parameters(kKind),
               &one_packet_sweep, &run_one_packet),
    definition(1081, "One Packet Write Sizes 2.0", "packet by packet by stateful calls of the object API", "0,1",
               issuer_parameters(kKind), &one_packet_sweep, &run_one_packet_2_0),
    definition(83, "One Packet Write Directed Ideal", "the longest packets by stateful calls", "0,1",
               issuer_parameters(kKind), &one_packet_ideal_sweep, &run_one_packet),
    core_shift(922, "", "0,0", "1,1", &shift_sweep<1, 1>),
    core_shift(920, " Far", "0,0", "6,2", &shift_sweep<6, 2>),
    core_shift(921, " Back", "6,3", "1,1", &shift_sweep<1, 1>),
    estimator_test(
        {.upstream_id = 800,
         .name = "L1 One to One",
         .primitive = "one_to_one",
         .description = "Core (0, 0) writes to the core below it or to the lower right, by plain or stateful "
                        "calls of the object API.",
         .kind = kKind,
         .parameters = joined({{{"same_axis", "1", "1: core (0, 1) is written to; 0: core (1, 1)", false, true},
                                swept_stateful_parameter()},
                               processor_parameters(kKind)}),
         .sweep = &estimator_sweep_of_two,
         .run = &run_estimator}),
}};

}  // namespace

}  // namespace nocbench::one_to_one
