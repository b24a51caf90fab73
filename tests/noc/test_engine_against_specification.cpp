// The engine, with and without accelerators, equals the specification: every packet of random traffic is sent, reserves
// and arrives in the same cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "tests/noc/random_traffic.h"
#include "tests/noc/traffic.h"
#include "tests/noc/traffic_difference.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using test::Mover;
using test::RandomPlans;
using test::TrafficPlan;

struct Kind {
    const char* name;
    int cases_of_group;
    TrafficPlan (*plan)(RandomPlans& random);
};

TrafficPlan with_smallest_buffers(TrafficPlan plan, RandomPlans& random) {
    plan.parameters.private_flits_per_virtual_channel = random.between(1, 2);
    plan.parameters.shared_flits_per_input_port = random.between(0, 2);
    plan.parameters.shared_flits_per_virtual_channel_max =
        random.between(0, plan.parameters.shared_flits_per_input_port);
    return plan;
}

TrafficPlan with_any_interfaces(TrafficPlan plan, RandomPlans& random) {
    random.vary_interfaces(plan);
    return plan;
}

/// Limits input ports to one flit per cycle, as in the routers of the literature.
TrafficPlan with_one_flit_per_input_port(TrafficPlan plan) {
    plan.parameters.one_flit_per_input_port = true;
    return plan;
}

/// Lets dynamic packets choose among four virtual channels. Responses among requests can deadlock; deadlocks are
/// compared, too.
TrafficPlan with_wide_groups(TrafficPlan plan) {
    plan.parameters.dynamic_group = 4;
    plan.parameters.dynamic_response_group = 4;
    return plan;
}

/// Puts unicasts on the virtual channels of multicasts, which software avoids.
TrafficPlan with_mixed_channels(TrafficPlan plan, RandomPlans& random) {
    random.mix_channels(plan);
    return plan;
}

/// Models routers that take time to turn, or keep an output at one of their inputs.
TrafficPlan with_changing_outputs(TrafficPlan plan, RandomPlans& random) {
    random.vary_outputs(plan);
    return plan;
}

// Small tori vary lengths, rates and latencies; chip grids use the values of the silicon. Slow kinds have fewer cases.
constexpr std::array kKinds{
    Kind{"Unicasts", 40, [](RandomPlans& random) { return with_any_interfaces(random.plan(), random); }},
    Kind{"Multicasts", 40,
         [](RandomPlans& random) { return with_any_interfaces(random.plan_with_multicasts(), random); }},
    Kind{"UnicastsInSmallestBuffers", 25,
         [](RandomPlans& random) { return with_smallest_buffers(with_any_interfaces(random.plan(), random), random); }},
    Kind{"MulticastsInSmallestBuffers", 25,
         [](RandomPlans& random) {
             return with_smallest_buffers(with_any_interfaces(random.plan_with_multicasts(), random), random);
         }},
    Kind{"WideGroups", 20,
         [](RandomPlans& random) { return with_wide_groups(with_any_interfaces(random.plan(), random)); }},
    Kind{"MixedChannels", 25,
         [](RandomPlans& random) {
             return with_mixed_channels(with_any_interfaces(random.plan_with_multicasts(), random), random);
         }},
    Kind{"LongPackets", 25, [](RandomPlans& random) { return with_any_interfaces(random.long_packets(), random); }},
    Kind{"LinksInBothDirections", 40, [](RandomPlans& random) { return random.two_way(); }},
    Kind{"AdaptiveRouting", 60, [](RandomPlans& random) { return random.adaptive(); }},
    Kind{"AdaptiveRoutingWithChangingOutputs", 60,
         [](RandomPlans& random) { return with_changing_outputs(random.adaptive(), random); }},
    Kind{"ManyVirtualChannels", 40, [](RandomPlans& random) { return random.many_channels(); }},
    Kind{"ManyVirtualChannelsWithChangingOutputs", 25,
         [](RandomPlans& random) { return with_changing_outputs(random.many_channels(), random); }},
    Kind{"OneFlitPerInputPort", 40, [](RandomPlans& random) { return with_one_flit_per_input_port(random.two_way()); }},
    Kind{"OneFlitPerInputPortInSmallestBuffers", 40,
         [](RandomPlans& random) {
             return with_smallest_buffers(with_one_flit_per_input_port(random.two_way()), random);
         }},
    Kind{"OneFlitPerInputPortOfOneWayTori", 25,
         [](RandomPlans& random) {
             const bool is_long = random.between(0, 3) == 0;
             return with_one_flit_per_input_port(is_long ? random.long_packets() : random.plan());
         }},
    Kind{"ChangingOutputs", 40,
         [](RandomPlans& random) {
             return with_changing_outputs(random.between(0, 1) == 0 ? random.two_way() : random.plan(), random);
         }},
    Kind{"ChangingOutputsOfSmallRouters", 60,
         [](RandomPlans& random) { return with_changing_outputs(random.small_routers(), random); }},
    Kind{"ChangingOutputsInSmallestBuffers", 25,
         [](RandomPlans& random) {
             return with_changing_outputs(with_smallest_buffers(random.two_way(), random), random);
         }},
    Kind{"ChangingOutputsOfSingles", 25,
         [](RandomPlans& random) { return with_changing_outputs(random.singles(), random); }},
    Kind{"WideMeshes", 40, [](RandomPlans& random) { return random.wide_mesh(); }},
    Kind{"WideMeshesInSmallestBuffers", 25,
         [](RandomPlans& random) { return with_smallest_buffers(random.wide_mesh(), random); }},
    Kind{"Streams", 40, [](RandomPlans& random) { return random.streams(); }},
    Kind{"Singles", 40, [](RandomPlans& random) { return random.singles(); }},
    Kind{"SinglesInSmallestBuffers", 25,
         [](RandomPlans& random) { return with_smallest_buffers(random.singles(), random); }},
    Kind{"Wormhole", 15,
         [](RandomPlans& random) { return with_any_interfaces(random.reads_and_writes(10, 12), random); }},
    Kind{"WormholeMulticasts", 8,
         [](RandomPlans& random) {
             return with_any_interfaces(random.reads_and_writes_with_multicasts(10, 12), random);
         }},
    Kind{"Blackhole", 10,
         [](RandomPlans& random) { return with_any_interfaces(random.reads_and_writes(17, 12), random); }},
    Kind{"BlackholeMulticasts", 5, [](RandomPlans& random) {
             return with_any_interfaces(random.reads_and_writes_with_multicasts(17, 12), random);
         }}};

std::string difference(const TrafficPlan& plan, Mover mover) {
    return first_difference(plan, run_traffic(plan, Mover::specification), run_traffic(plan, mover));
}

const int kGroupsOfKind = test::thinned(4, 4, 4);

class EngineAgainstSpecification : public testing::TestWithParam<std::tuple<Kind, int>> {};

INSTANTIATE_TEST_SUITE_P(Group, EngineAgainstSpecification,
                         testing::Combine(testing::ValuesIn(kKinds), testing::Range(0, kGroupsOfKind)),
                         [](const auto& test) {
                             return std::get<0>(test.param).name + std::to_string(std::get<1>(test.param));
                         });

TEST_P(EngineAgainstSpecification, EveryPacketGoesAndArrivesInTheSameCycle) {
    const auto& [kind, group] = GetParam();
    const int num_cases = test::thinned(kind.cases_of_group, 20);
    for (int number = group * num_cases; number < (group + 1) * num_cases; ++number) {
        RandomPlans random(static_cast<std::uint32_t>(number));
        const TrafficPlan plan = kind.plan(random);
        const test::TrafficOutcome specified = run_traffic(plan, Mover::specification);
        for (const Mover mover : {Mover::engine_without_accelerators, Mover::engine}) {
            const std::string found = first_difference(plan, specified, run_traffic(plan, mover));
            if (!found.empty()) {
                const TrafficPlan smallest =
                    smallest_plan(plan, [&](const TrafficPlan& fewer) { return !difference(fewer, mover).empty(); });
                FAIL() << "case " << number << (mover == Mover::engine ? "" : " without shorter ways") << ": " << found
                       << "\nwith fewer packets: " << difference(smallest, mover) << '\n'
                       << description(smallest);
            }
        }
    }
}

}  // namespace

}  // namespace nocbench
