// One core reads from another core.
#include "kernels/frame/parameters.h"
#include "kernels/frame/tensix/estimator_tests.h"
#include "kernels/frame/tensix/sweeps.h"
#include "kernels/frame/unicast_transfers.h"
#include "kernels/tensix/kernel_sources.h"
#include "one_from_one/kernels/kernels.h"

namespace nocbench::one_from_one {

namespace {

std::vector<KernelReport> run_between(const Point& point, LogicalCoordinate requestor_core,
                                      LogicalCoordinate responder_core, void (*kernel)(),
                                      const std::string& device_source) {
    Program program(point.device());
    // A core that reads from itself needs a second buffer.
    return run_unicast(
        point, program,
        {.kernel = kernel,
         .device_source = device_source,
         .kind = TransactionKind::read,
         .initiators = {{requestor_core, {responder_core}}},
         .source_address = requestor_core == responder_core ? point.second_l1_buffer() : point.first_l1_buffer(),
         .destination_address = point.first_l1_buffer(),
         .coordinates = UnicastPlan::Coordinates::x_then_y});
}

std::vector<KernelReport> run_with(const Point& point, void (*kernel)(), const std::string& device_source = {}) {
    return run_between(point, point.core("source"), point.core("destination"), kernel, device_source);
}

std::vector<KernelReport> run(const Point& point) { return run_with(point, &requestor); }

constexpr const char* kObjectRequestor = "one_from_one/kernels/device/object_requestor.cpp";

std::vector<KernelReport> run_2_0(const Point& point) { return run_with(point, nullptr, kObjectRequestor); }

std::vector<KernelReport> run_estimator(const Point& point) {
    return run_between(point, {0, 0}, {point.flag("same_axis") ? 0 : 1, 1}, nullptr, kObjectRequestor);
}

std::vector<KernelReport> run_channels(const Point& point) {
    return run_with(point, nullptr, "one_from_one/kernels/device/channels_requestor.cpp");
}

std::vector<KernelReport> run_one_packet(const Point& point) {
    point.require_one_packet("a call");
    return run_with(point, nullptr, "one_from_one/kernels/device/one_packet_requestor.cpp");
}

std::vector<KernelReport> run_one_packet_2_0(const Point& point) {
    point.require_one_packet("a call");
    return run_with(point, nullptr, "one_from_one/kernels/device/object_one_packet_requestor.cpp");
}

const RegisterKernelSources kernel_sources{{
    {&requestor, "one_from_one/kernels/requestor.cpp", "nocbench::one_from_one::requestor"},
}};

/// Returns a test definition of this folder; `parameters` are appended to those of the two cores.
TestDefinition definition(int id, const std::string& name, const std::string& variant, const std::string& destination,
                          const std::vector<ParameterDefinition>& parameters, Sweep (*sweep)(const Architecture&, Tier),
                          std::vector<KernelReport> (*run_point)(const Point&)) {
    const std::string first = "One from One Packet Sizes";
    return {.id = id,
            .name = name,
            .primitive = "one_from_one",
            .description = "One core reads from another one" + (variant.empty() ? "." : ", " + variant + "."),
            .headings = variant.empty() ? std::vector{first} : std::vector{first, name},
            .kernels = {"Receiver"},
            .parameters = joined({{core_parameter("source", "0,0", "logical core that reads"),
                                   core_parameter("destination", destination, "logical core that is read from")},
                                  parameters}),
            .sweep = sweep,
            .run = run_point,
            .kernels_are_compiled = run_point != &run,
            .has_long_streams = sweep == &directed_ideal_sweep};
}

Sweep estimator_sweep_of_two(const Architecture& architecture, Tier tier) {
    return estimator_sweep(architecture, tier, {{"same_axis", {"1", "0"}}, {"stateful", {"0", "1"}}});
}

const auto kKind = TransactionKind::read;

const RegisterTests registration{{
    definition(5, "One from One Packet Sizes", "", "1,1", unicast_parameters(kKind), &packet_size_sweep, &run),
    definition(159, "One from One Packet Sizes 2.0", "by the object API", "1,1", issuer_parameters(kKind),
               &compiled_packet_size_sweep, &run_2_0),
    definition(51, "One from One Directed Ideal", "in the longest calls", "0,1", unicast_parameters(kKind),
               &directed_ideal_sweep, &run),
    definition(152, "One from One Virtual Channels", "on one to four virtual channels", "0,1",
               alternating_channels_parameters(kKind), &virtual_channel_sweep, &run_channels),
    definition(153, "One from One Custom", "a flit on each of four virtual channels", "0,1",
               alternating_channels_parameters(kKind), &virtual_channel_custom_sweep, &run_channels),
    definition(80, "One Packet Read Sizes", "packet by packet by stateful calls", "0,1", issuer_parameters(kKind),
               &one_packet_sweep, &run_one_packet),
    definition(1080, "One Packet Read Sizes 2.0", "packet by packet by stateful calls of the object API", "0,1",
               issuer_parameters(kKind), &one_packet_sweep, &run_one_packet_2_0),
    definition(82, "One Packet Read Directed Ideal", "the longest packets by stateful calls", "0,1",
               issuer_parameters(kKind), &one_packet_ideal_sweep, &run_one_packet),
    estimator_test(
        {.upstream_id = 801,
         .name = "L1 One from One",
         .primitive = "one_from_one",
         .description = "Core (0, 0) reads from the core below it or to the lower right, by plain or stateful "
                        "calls of the object API.",
         .kind = kKind,
         .parameters = joined({{{"same_axis", "1", "1: core (0, 1) is read from; 0: core (1, 1)", false, true},
                                swept_stateful_parameter()},
                               processor_parameters(kKind)}),
         .sweep = &estimator_sweep_of_two,
         .run = &run_estimator}),
}};

}  // namespace

}  // namespace nocbench::one_from_one
