// Invariants of any traffic: nothing is lost, duplicated or mixed, and everything arrives as long as software obeys the
// documented rules.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/noc/flit_laws.h"
#include "tests/noc/random_traffic.h"
#include "tests/noc/traffic.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using test::FlitLaws;
using test::PlannedPacket;
using test::RandomPlans;
using test::TrafficOutcome;
using test::TrafficPlan;
using test::usual_parameters;

/// Watches every flit of the specification. Equality of engine and specification is in
/// test_engine_against_specification.cpp; the engine's own counts are in test_network.cpp.
class LawsOfFlits : public testing::TestWithParam<int> {};

const int kGroupsOfFlits = test::thinned(4, 4, 4);
constexpr int kCasesOfGroup = test::thinned(40, 3);

INSTANTIATE_TEST_SUITE_P(Group, LawsOfFlits, testing::Range(0, kGroupsOfFlits));

TEST_P(LawsOfFlits, HoldForRandomTraffic) {
    for (int number = GetParam() * kCasesOfGroup; number < (GetParam() + 1) * kCasesOfGroup; ++number) {
        SCOPED_TRACE("case " + std::to_string(number));
        RandomPlans random(static_cast<std::uint32_t>(number));
        TrafficPlan plan = number % 3 == 0   ? random.plan()
                           : number % 3 == 1 ? random.plan_with_multicasts()
                                             : random.two_way();
        if (number % 2 == 0) {
            plan.parameters.private_flits_per_virtual_channel = 1;
            plan.parameters.shared_flits_per_input_port = number % 4;
            plan.parameters.shared_flits_per_virtual_channel_max = number % 4 / 2;
        }
        FlitLaws laws(plan);
        const TrafficOutcome outcome = run_traffic(plan, laws);
        ASSERT_EQ(laws.violation(), "");
        ASSERT_FALSE(outcome.ran_out_of_time);
        ASSERT_EQ(outcome.packets_in_flight, 0U);
        ASSERT_EQ(laws.packets_unfinished(), 0U);
        ASSERT_EQ(laws.flits_buffered(), 0);
        std::uint64_t flits_to_read = 0;
        std::uint64_t flits_to_eject = 0;
        for (const PlannedPacket& packet : with_answers(plan)) {
            flits_to_read += packet.flits;
            flits_to_eject += packet.flits * test::destinations(plan, packet).size();
        }
        ASSERT_EQ(laws.flits_read(), flits_to_read);
        ASSERT_EQ(laws.flits_ejected(), flits_to_eject);
    }
}

// Test of deadlock freedom. Requests, responses and multicasts use separate virtual channels, and interfaces accept no
// more requests than they can hold.

struct Chip {
    const char* name;
    int columns;
    int rows;
    int noc;
    bool has_small_buffers;
};

class AMillionTransactions : public testing::TestWithParam<Chip> {};

INSTANTIATE_TEST_SUITE_P(Chips, AMillionTransactions,
                         testing::Values(Chip{"WormholeNoc0", 10, 12, 0, false},
                                         Chip{"WormholeNoc1SmallBuffers", 10, 12, 1, true},
                                         Chip{"BlackholeNoc0SmallBuffers", 17, 12, 0, true},
                                         Chip{"BlackholeNoc1", 17, 12, 1, false}),
                         [](const auto& test) { return test.param.name; });

/// Returns reads and writes between all tiles, close to the capacity of the links, and some multicasts.
TrafficPlan busy_chip(const Chip& chip, int num_transactions) {
    RandomPlans random(static_cast<std::uint32_t>(chip.columns + chip.noc));
    TrafficPlan plan;
    plan.columns = chip.columns;
    plan.rows = chip.rows;
    plan.noc = chip.noc;
    plan.parameters = usual_parameters();
    if (chip.has_small_buffers) {
        plan.parameters.shared_flits_per_input_port = 2;
        plan.parameters.shared_flits_per_virtual_channel_max = 1;
    }
    plan.answer_streams = 2;
    plan.requests_held_per_channel_max = 1;
    const int num_nodes = chip.columns * chip.rows;
    constexpr int kTrees = 20;
    for (int tree = 0; tree < kTrees; ++tree) {
        plan.trees.push_back(random.tree(plan));
    }
    for (int index = 0; index < num_transactions; ++index) {
        const bool is_read = random.between(0, 1) == 0;
        const int flits = random.one_of({2, 2, 2, 3, 5});
        PlannedPacket packet;
        packet.ready = index / 4;
        packet.source = static_cast<NodeIndex>(random.between(0, num_nodes - 1));
        packet.destination = static_cast<NodeIndex>(random.between(0, num_nodes - 1));
        packet.flits = static_cast<std::uint16_t>(is_read ? 1 : flits);
        packet.answer_flits = is_read ? flits : 1;
        packet.virtual_channel = static_cast<std::uint8_t>(random.between(0, 3));
        packet.is_static = random.between(0, 1) == 0;
        if (random.between(0, 999) == 0) {
            packet.tree = random.between(0, kTrees - 1);
            packet.source = plan.trees[static_cast<std::size_t>(packet.tree)].source;
            packet.virtual_channel = static_cast<std::uint8_t>(kFirstBroadcastVirtualChannel + random.between(0, 1));
            packet.is_static = true;
        }
        plan.packets.push_back(packet);
    }
    return plan;
}

TEST_P(AMillionTransactions, AllFinish) {
    const TrafficOutcome outcome = run_traffic(busy_chip(GetParam(), test::thinned(250'000, 20, 4)));
    EXPECT_FALSE(outcome.ran_out_of_time);
    EXPECT_EQ(outcome.packets_in_flight, 0U);
    std::size_t num_unfinished = 0;
    for (const test::PacketTimes& times : outcome.packets) {
        for (std::size_t receiver = 0; receiver <= times.further_ejections.size(); ++receiver) {
            num_unfinished += times.at(receiver).times_ejected == 1 ? 0 : 1;
        }
    }
    EXPECT_EQ(num_unfinished, 0U);
}

TEST(AMillionTransactionsWithoutDatelines, DoNotFinish) {
    // Without datelines this traffic deadlocks, so the test would detect a deadlock.
    TrafficPlan plan = busy_chip({"WormholeNoc0SmallBuffers", 10, 12, 0, true}, 20'000);
    plan.has_datelines = false;
    EXPECT_GT(run_traffic(plan).packets_in_flight, 0U);
}

}  // namespace

}  // namespace nocbench
