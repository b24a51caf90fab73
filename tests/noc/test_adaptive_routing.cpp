// Adaptive routing of meshes: the routes that packets take, and that they always arrive.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "device_model/noc/make_network.h"
#include "device_model/noc/packet_level/packet_level_network.h"
#include "device_model/noc/specification/flit_by_flit_network.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/error.h"
#include "tests/noc/traffic.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using specification::ChannelPlace;
using specification::Flit;
using test::Mover;
using test::PlannedPacket;
using test::TrafficOutcome;
using test::TrafficPlan;

constexpr int kSide = 8;

enum class Pattern : std::uint8_t { uniform, transpose };

/// Returns more packets than the network can carry at once, all ready at the beginning.
TrafficPlan saturation(MeshRouting routing, int virtual_channels, Pattern pattern, std::uint32_t seed,
                       int packets_of_node = 12) {
    std::mt19937 generator(seed);
    const auto below = [&](int limit) { return static_cast<int>(generator() % static_cast<std::uint32_t>(limit)); };
    TrafficPlan plan;
    plan.topology = mesh(kSide, kSide, routing);
    plan.parameters.hop_cycles = 2;
    plan.parameters.credit_return_cycles = 1;
    plan.parameters.injection_cycles = 1;
    plan.parameters.injection_buffer_flits = 4;
    plan.parameters.private_flits_per_virtual_channel = 1 + below(6);
    plan.parameters.window_cycles = 1;
    plan.parameters.software_virtual_channels = virtual_channels;
    plan.parameters.first_response_virtual_channel = virtual_channels;
    plan.parameters.dynamic_group = virtual_channels;
    plan.parameters.one_flit_per_input_port = true;
    for (int number = 0; number < packets_of_node; ++number) {
        for (int node = 0; node < kSide * kSide; ++node) {
            PlannedPacket packet;
            packet.source = static_cast<NodeIndex>(node);
            packet.destination = static_cast<NodeIndex>(
                pattern == Pattern::uniform ? below(kSide * kSide) : node % kSide * kSide + node / kSide);
            packet.flits = static_cast<std::uint16_t>(1 + below(12));
            packet.virtual_channel = static_cast<std::uint8_t>(number % virtual_channels);
            packet.is_static = false;
            plan.packets.push_back(packet);
        }
    }
    return plan;
}

/// Observer that notes the ways of packets by the output ports of their headers.
class Ways final : public specification::FlitObserver {
public:
    struct Hop {
        NodeIndex node = 0;
        ChannelPlace output;
    };

    [[nodiscard]] const std::vector<std::vector<Hop>>& finished() const { return finished_; }

    void flit_read(NodeIndex /*node*/, const Flit& /*flit*/, Cycle /*cycle*/) override {}
    void flit_buffered(NodeIndex /*node*/, const ChannelPlace& /*input*/, const Flit& /*flit*/,
                       Cycle /*cycle*/) override {}
    void flit_taken(NodeIndex /*node*/, const ChannelPlace& /*input*/, const Flit& /*flit*/, Cycle /*cycle*/) override {
    }
    void flit_sent(NodeIndex node, const ChannelPlace& output, const Flit& flit, Cycle /*cycle*/) override {
        if (!flit.is_header) {
            return;
        }
        std::vector<Hop>& way = under_way_[flit.packet];
        way.push_back({node, output});
        if (output.port == kNiuPort) {
            finished_.push_back(std::move(way));
            under_way_.erase(flit.packet);
        }
    }

private:
    std::map<PacketId, std::vector<Hop>> under_way_;
    std::vector<std::vector<Hop>> finished_;
};

struct Case {
    MeshRouting routing;
    int virtual_channels;
    Pattern pattern;
};

void PrintTo(const Case& tested, std::ostream* stream) {
    *stream << (tested.routing == MeshRouting::odd_even ? "odd_even" : "minimal_adaptive") << ' '
            << tested.virtual_channels << (tested.pattern == Pattern::uniform ? " uniform" : " transpose");
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const Pattern pattern : {Pattern::uniform, Pattern::transpose}) {
        for (const int channels : {1, 2, 4, 12}) {
            cases.push_back({MeshRouting::odd_even, channels, pattern});
        }
        for (const int channels : {2, 3, 8}) {
            cases.push_back({MeshRouting::minimal_adaptive, channels, pattern});
        }
    }
    return cases;
}

class AdaptiveMeshes : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(All, AdaptiveMeshes, testing::ValuesIn(all_cases()));

/// Saturates the network, so that packets take every way that they may.
TEST_P(AdaptiveMeshes, EveryWayIsShortestAndKeepsToTheTurnModel) {
    const auto& [routing, channels, pattern] = GetParam();
    Ways ways;
    const TrafficPlan plan = saturation(routing, channels, pattern, 1, 4);
    run_traffic(plan, ways);
    ASSERT_EQ(ways.finished().size(), plan.packets.size());
    std::map<std::pair<NodeIndex, NodeIndex>, std::map<std::vector<int>, int>> ways_of_pair;
    for (const std::vector<Ways::Hop>& way : ways.finished()) {
        const int from = way.front().node;
        const int to = way.back().node;
        ASSERT_EQ(way.size() - 1,
                  static_cast<std::size_t>(std::abs(from % kSide - to % kSide) + std::abs(from / kSide - to / kSide)));
        std::vector<int> ports;
        for (std::size_t hop = 0; hop < way.size(); ++hop) {
            ports.push_back(way[hop].output.port);
            if (hop == 0) {
                continue;
            }
            const int came = way[hop - 1].output.port;
            const int goes = way[hop].output.port;
            const bool is_even = way[hop].node % kSide % 2 == 0;
            const bool leaves_right = came == kRightPort && (goes == kUpPort || goes == kDownPort);
            const bool turns_left = (came == kUpPort || came == kDownPort) && goes == kLeftPort;
            ASSERT_FALSE(routing == MeshRouting::odd_even && is_even && leaves_right) << "EN or ES in an even column";
            ASSERT_FALSE(routing == MeshRouting::odd_even && !is_even && turns_left) << "NW or SW in an odd column";
        }
        ++ways_of_pair[{way.front().node, way.back().node}][ports];
    }
    std::size_t pairs_with_several_ways = 0;
    for (const auto& [pair, of_pair] : ways_of_pair) {
        pairs_with_several_ways += of_pair.size() > 1 ? 1 : 0;
    }
    if (pattern == Pattern::transpose) {  // several packets between each pair
        EXPECT_GT(pairs_with_several_ways, ways_of_pair.size() / 8);
    }
}

TEST(AdaptiveMeshesTest, OnlyTheEscapeChannelKeepsToXFirst) {
    for (const int channels : {2, 3, 8}) {
        Ways ways;
        run_traffic(saturation(MeshRouting::minimal_adaptive, channels, Pattern::transpose, 2, 4), ways);
        int num_escapes = 0;
        int num_along_y_before_x = 0;
        for (const std::vector<Ways::Hop>& way : ways.finished()) {
            for (const auto& [node, output] : way) {
                const bool is_along_y = output.port == kDownPort || output.port == kUpPort;
                const bool is_in_column = node % kSide == way.back().node % kSide;
                if (output.port != kNiuPort && output.channel == kEscapeChannel) {
                    ++num_escapes;
                    ASSERT_TRUE(is_in_column || !is_along_y);
                } else {
                    num_along_y_before_x += is_along_y && !is_in_column ? 1 : 0;
                }
            }
        }
        EXPECT_GT(num_escapes, 0);
        EXPECT_GT(num_along_y_before_x, 0);
    }
}

TEST_P(AdaptiveMeshes, SaturatedMeshesDoNotDeadlock) {
    const auto& [routing, channels, pattern] = GetParam();
    for (std::uint32_t seed = 0; seed < static_cast<std::uint32_t>(test::thinned(40, 6)); ++seed) {
        const TrafficPlan plan = saturation(routing, channels, pattern, seed);
        const TrafficOutcome outcome = run_traffic(plan);
        ASSERT_EQ(outcome.packets_in_flight, 0U)
            << "seed " << seed << ", buffers of " << plan.parameters.private_flits_per_virtual_channel << " flits";
        ASSERT_FALSE(outcome.ran_out_of_time);
    }
}

TEST(AdaptiveMeshesTest, WithoutTurnModelOrEscapeChannelSaturatedMeshesDeadlock) {
    // Any shortest way on any channel: the tests above would detect a deadlock.
    std::size_t stuck = 0;
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        TrafficPlan plan = saturation(MeshRouting::minimal_adaptive, 1, Pattern::uniform, seed);
        // A single channel is the escape channel, whose routes are bent into circles here.
        Topology topology = plan.topology.value_or(Topology{});
        for (int node = 0; node < topology.num_nodes; ++node) {
            for (int row = 0; row < kSide && (node + node / kSide) % 2 != 0; ++row) {
                std::uint8_t& port =
                    topology.towards[static_cast<std::size_t>(node * topology.num_lines + kSide + row)];
                port = static_cast<std::uint8_t>(port == kNiuPort ? port : port + 2 * Topology::kTakenFirst);
            }
        }
        plan.topology = std::move(topology);
        const TrafficOutcome outcome = run_traffic(plan, Mover::engine, 20'000);
        stuck += outcome.packets_in_flight;
        EXPECT_EQ(run_traffic(plan, Mover::engine, 30'000).flit_hops, outcome.flit_hops);  // nothing moves any more
    }
    EXPECT_GT(stuck, 0U);
}

TEST(AdaptiveMeshesTest, APacketAloneGoesAlongXWhileItMay) {
    const Topology odd_even = mesh(kSide, kSide, MeshRouting::odd_even);
    // To an even column, a packet that travels to the right turns in the odd column before it, or in its first column.
    EXPECT_EQ(odd_even.route(0, 2 * kSide + 4), kRightPort);
    EXPECT_EQ(odd_even.route(3, 2 * kSide + 4), kDownPort);
    EXPECT_EQ(odd_even.permitted_ports(2, 2 * kSide + 4, kRightPort), 1U << kRightPort);
    EXPECT_EQ(odd_even.permitted_ports(2, 2 * kSide + 4, kNiuPort), 1U << kRightPort | 1U << kDownPort);
    EXPECT_EQ(odd_even.permitted_ports(3, 2 * kSide + 4, kRightPort), 1U << kDownPort);
    EXPECT_EQ(odd_even.permitted_ports(2 * kSide + 5, 1, kNiuPort), 1U << kLeftPort);
    EXPECT_EQ(odd_even.permitted_ports(2 * kSide + 4, 1, kLeftPort), 1U << kLeftPort | 1U << kUpPort);
    EXPECT_EQ(odd_even.permitted_ports(9, 9, kRightPort), 1U << kNiuPort);
    const Topology minimal = mesh(kSide, kSide, MeshRouting::minimal_adaptive);
    EXPECT_EQ(minimal.permitted_ports(2, 2 * kSide + 4, kRightPort), 1U << kRightPort | 1U << kDownPort);
    EXPECT_EQ(minimal.towards, mesh(kSide, kSide).towards);
}

TEST(AdaptiveMeshesTest, ThePacketLevelNetworkRefusesIt) {
    try {
        run_traffic(saturation(MeshRouting::odd_even, 1, Pattern::uniform, 0, 1), Mover::packet_level);
        FAIL() << "it was accepted";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "routes of a packet-level network: expected fixed ones, found adaptive routing");
    }
}

TEST(VirtualChannelsTest, AsManyAsTheBitsOfAMask) {
    TrafficPlan plan = saturation(MeshRouting::x_first, 32, Pattern::transpose, 0, 2);
    EXPECT_EQ(run_traffic(plan).packets_in_flight, 0U);
    plan.parameters.software_virtual_channels = 33;
    try {
        run_traffic(plan);
        FAIL() << "they were accepted";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "virtual channels of a link: expected 1 to 32 (those of both sets, as bits of a mask), found 33");
    }
}

}  // namespace

}  // namespace nocbench
