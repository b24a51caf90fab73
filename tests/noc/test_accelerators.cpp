// Each accelerator of the engine: it handles suitable traffic, refuses unsuitable traffic, and in both cases packets
// arrive in the cycles of the specification.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/noc/accelerators.h"
#include "device_model/noc/network.h"
#include "device_model/noc/topology.h"
#include "synthetic/network_plan.h"
#include "tests/noc/random_traffic.h"
#include "tests/noc/traffic.h"

namespace nocbench {

namespace {

using test::AcceleratorUses;
using test::PlannedPacket;
using test::run_traffic;
using test::TrafficOutcome;
using test::TrafficPlan;

TrafficPlan torus() {
    TrafficPlan plan;
    plan.columns = 6;
    plan.rows = 4;
    plan.parameters = test::usual_parameters();
    plan.parameters.link_flits_on_end_max = 20;
    return plan;
}

/// Returns a mesh whose tiles send and receive one flit per cycle.
TrafficPlan mesh() {
    TrafficPlan plan;
    plan.columns = 6;
    plan.rows = 4;
    const synthetic::NetworkPlan network = synthetic::plain_network({.topology = synthetic::PlainTopology::mesh,
                                                                     .shape = {plan.columns, plan.rows},
                                                                     .virtual_channels = 4,
                                                                     .buffer_flits = 8});
    plan.topology = network.topology;
    plan.parameters = network.parameters;
    return plan;
}

PlannedPacket packet(int source, int destination, int flits, int channel = 0, Cycle ready = 0) {
    PlannedPacket packet;
    packet.source = static_cast<NodeIndex>(source);
    packet.destination = static_cast<NodeIndex>(destination);
    packet.flits = static_cast<std::uint16_t>(flits);
    packet.virtual_channel = static_cast<std::uint8_t>(channel);
    packet.ready = ready;
    return packet;
}

/// Adds packets of one flit, far apart.
TrafficPlan lone_flits(TrafficPlan plan) {
    for (int index = 0; index < 20; ++index) {
        plan.packets.push_back(packet(0, 15, 1, 0, Cycle{100} * index));
    }
    return plan;
}

/// Adds a single long packet.
TrafficPlan lone_stream(TrafficPlan plan, int flits = 250) {
    plan.packets.push_back(packet(0, 5, flits));
    return plan;
}

/// Adds long packets of two virtual channels that share links.
TrafficPlan shared_links(TrafficPlan plan) {
    plan.packets.push_back(packet(0, 5, 250, 0));
    plan.packets.push_back(packet(1, 5, 250, 1));
    return plan;
}

/// Adds short packets, so that each window has heads and tails.
TrafficPlan short_packets(TrafficPlan plan) {
    for (int index = 0; index < 200; ++index) {
        plan.packets.push_back(packet(index % 7, 8 + index % 11, 2 + index % 3, index % 2));
    }
    return plan;
}

struct Case {
    const char* name;
    Accelerator accelerator;
    AcceleratorSet others;  // other accelerators that it needs
    TrafficPlan (*taken)();
    TrafficPlan (*refused)();  // null: tested elsewhere
};

constexpr AcceleratorSet kSteady = set_of(Accelerator::steady_state);

const Case kCases[] = {
    {"Bypass", Accelerator::bypass, kNoAccelerators, [] { return lone_flits(torus()); },
     [] {
         // Two flits request one output in the same cycle.
         TrafficPlan plan = mesh();
         for (int index = 0; index < 40; ++index) {
             plan.packets.push_back(packet(1, 2, 1, index % 2, 0));
             plan.packets.push_back(packet(7, 2, 1, index % 2, 0));
         }
         return plan;
     }},
    {"SteadyState", Accelerator::steady_state, kNoAccelerators, [] { return lone_stream(torus()); },
     [] { return short_packets(torus()); }},
    {"RoundRobin", Accelerator::round_robin, kSteady, [] { return shared_links(torus()); }, nullptr},
    {"ConflictFree", Accelerator::conflict_free, kSteady, [] { return lone_stream(torus()); },
     // The tail arrives within a window.
     [] { return lone_stream(torus(), 61); }},
};

class EachAccelerator : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(All, EachAccelerator, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

AcceleratorUse use_of(const AcceleratorUses& uses, Accelerator accelerator) {
    return uses[static_cast<std::size_t>(accelerator)];
}

TEST_P(EachAccelerator, TakesWhatItIsMadeFor) {
    const auto& [name, accelerator, others, taken, refused] = GetParam();
    const TrafficPlan plan = taken();
    const TrafficOutcome expected = run_traffic(plan, test::Mover::specification);
    AcceleratorUses uses;
    EXPECT_EQ(run_traffic(plan, others | set_of(accelerator), &uses), expected);
    EXPECT_GT(use_of(uses, accelerator).taken, 0U);
    EXPECT_EQ(run_traffic(plan, others, &uses), expected);
    EXPECT_EQ(use_of(uses, accelerator).taken, 0U);
    EXPECT_EQ(run_traffic(plan, kAllAccelerators & ~set_of(accelerator)), expected);
}

TEST_P(EachAccelerator, RefusesWhatIsNotLikeThat) {
    const auto& [name, accelerator, others, taken, refused] = GetParam();
    if (refused == nullptr) {
        return;
    }
    const TrafficPlan plan = refused();
    AcceleratorUses uses;
    EXPECT_EQ(run_traffic(plan, others | set_of(accelerator), &uses), run_traffic(plan, test::Mover::specification));
    EXPECT_GT(use_of(uses, accelerator).refused, 0U);
}

TEST(Accelerators, SteadyStatesRefuseWhatNeedsRoundRobinWithoutIt) {
    const TrafficPlan plan = shared_links(torus());
    AcceleratorUses uses;
    EXPECT_EQ(run_traffic(plan, kSteady, &uses), run_traffic(plan, test::Mover::specification));
    EXPECT_GT(use_of(uses, Accelerator::round_robin).refused, 0U);
    EXPECT_GE(use_of(uses, Accelerator::steady_state).refused, use_of(uses, Accelerator::round_robin).refused);
}

TEST(Accelerators, NeedOthers) {
    AcceleratorUses uses;
    run_traffic(lone_stream(mesh(), 1000), kAllAccelerators & ~kSteady, &uses);
    for (const Accelerator accelerator :
         {Accelerator::steady_state, Accelerator::round_robin, Accelerator::conflict_free}) {
        EXPECT_EQ(use_of(uses, accelerator).taken, 0U);
    }
}

}  // namespace

}  // namespace nocbench
