// The engine, with and without its shorter ways, does what the specification does: every packet of random traffic is
// sent, reserves and arrives in the same cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "tests/random_traffic.h"
#include "tests/traffic.h"
#include "tests/traffic_difference.h"

namespace nocbench {

namespace {

using test::Mover;
using test::RandomPlans;
using test::TrafficPlan;

enum class Kind : std::uint8_t {
    unicasts,             // on small tori; every length, rate and latency
    multicasts,           // between them
    smallest_buffers,     // a flit or two, and next to nothing shared
    wide_groups,          // dynamic packets with four virtual channels to choose from
    wormhole,             // reads and writes on the whole grid
    wormhole_multicasts,  // between them
    blackhole,
    blackhole_multicasts,
};

constexpr std::array<const char*, 8> kNames{"Unicasts", "Multicasts",         "SmallestBuffers", "WideGroups",
                                            "Wormhole", "WormholeMulticasts", "Blackhole",       "BlackholeMulticasts"};

TrafficPlan random_plan(Kind kind, int number) {
    RandomPlans random(static_cast<std::uint32_t>(number));
    TrafficPlan plan;
    switch (kind) {
        case Kind::unicasts:
            plan = random.plan();
            break;
        case Kind::multicasts:
            plan = random.plan_with_multicasts();
            break;
        case Kind::smallest_buffers:
            plan = number % 2 == 0 ? random.plan() : random.plan_with_multicasts();
            plan.parameters.private_flits_per_virtual_channel = random.between(1, 2);
            plan.parameters.shared_flits_per_input_port = random.between(0, 2);
            plan.parameters.shared_flits_per_virtual_channel_max =
                random.between(0, plan.parameters.shared_flits_per_input_port);
            break;
        case Kind::wide_groups:
            plan = random.plan();
            break;
        case Kind::wormhole:
            plan = random.reads_and_writes(10, 12);
            break;
        case Kind::wormhole_multicasts:
            plan = random.reads_and_writes_with_multicasts(10, 12);
            break;
        case Kind::blackhole:
            plan = random.reads_and_writes(17, 12);
            break;
        case Kind::blackhole_multicasts:
            plan = random.reads_and_writes_with_multicasts(17, 12);
            break;
    }
    random.vary_interfaces(plan);
    if (kind == Kind::wide_groups) {
        plan.parameters.dynamic_group = 4;
        plan.requests_held_max.reset();
    }
    return plan;
}

std::string difference(const TrafficPlan& plan, Mover mover) {
    return first_difference(plan, run_traffic(plan, Mover::specification), run_traffic(plan, mover));
}

constexpr int kGroups = 4;
constexpr int kCasesOfGroup = 24;

class EngineAgainstSpecification : public testing::TestWithParam<std::tuple<Kind, int>> {};

INSTANTIATE_TEST_SUITE_P(Group, EngineAgainstSpecification,
                         testing::Combine(testing::Values(Kind::unicasts, Kind::multicasts, Kind::smallest_buffers,
                                                          Kind::wide_groups, Kind::wormhole, Kind::wormhole_multicasts,
                                                          Kind::blackhole, Kind::blackhole_multicasts),
                                          testing::Range(0, kGroups)),
                         [](const auto& test) {
                             return kNames.at(static_cast<std::size_t>(std::get<0>(test.param))) +
                                    std::to_string(std::get<1>(test.param));
                         });

TEST_P(EngineAgainstSpecification, EveryPacketGoesAndArrivesInTheSameCycle) {
    const auto [kind, group] = GetParam();
    for (int number = group * kCasesOfGroup; number < (group + 1) * kCasesOfGroup; ++number) {
        const TrafficPlan plan = random_plan(kind, number);
        const test::TrafficOutcome specified = run_traffic(plan, Mover::specification);
        for (const Mover mover : {Mover::engine_without_shortcuts, Mover::engine}) {
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
