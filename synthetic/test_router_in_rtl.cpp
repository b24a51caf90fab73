// Model of a router in RTL, against published figures from a simulation of its Verilog.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "kernels/frame/primitive.h"
#include "synthetic/network_plan.h"
#include "synthetic/planned_packets.h"
#include "tests/support/error_message.h"

namespace nocbench::synthetic {

namespace {

constexpr int kFlitBytes = 8;

PointResult run(const std::string& test, int flits, std::map<std::string, std::string> parameters,
                const std::vector<Setting>& settings = {}) {
    parameters["call_size"] = std::to_string(flits * kFlitBytes);
    parameters.try_emplace("num_transactions", "1");
    return run_point(find_test(test), "openpiton", "", parameters, settings);
}

double statistic(const PointResult& point, const std::string& name) {
    const auto found = std::ranges::find(point.statistics, name, &Statistic::name);
    return found != point.statistics.end() ? found->value : std::nan("");
}

TEST(RouterInRtl, LonePacketsTakeTheirFlitsHopsAndTurns) {
    for (const int flits : {2, 32, 128}) {
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 4; ++x) {
                // Turns out of the tile, from row to column, and into the destination tile; a packet to its own tile
                // turns once.
                const int turns = x + y == 0 ? 1 : x != 0 && y != 0 ? 3 : 2;
                const PointResult point = run("Lone Packets", flits, {{"destination", fmt::format("{},{}", x, y)}});
                EXPECT_EQ(point.rows.at(0).latency_cycles, flits + x + y + turns + 1) << x << ',' << y;
                EXPECT_TRUE(point.rows.at(0).data_ok);
            }
        }
    }
}

TEST(RouterInRtl, PacketsOneBehindTheOtherLeaveABubble) {
    // Four packets of two flits leave the source tile three cycles apart.
    const PointResult point = run("Lone Packets", 2, {{"num_transactions", "4"}});
    EXPECT_EQ(point.rows.at(0).latency_cycles, 6 + (3 + 6 + 9) / 4.0);
    EXPECT_EQ(statistic(point, "max_latency_cycles"), 6 + 9);
}

TEST(RouterInRtl, WhatTravelsUpNeedsNotTurnToTheTile) {
    EXPECT_EQ(run("Lone Packets", 2, {{"source", "0,1"}, {"destination", "0,0"}}).rows.at(0).latency_cycles, 5);
    EXPECT_EQ(run("Lone Packets", 2, {{"source", "0,0"}, {"destination", "0,1"}}).rows.at(0).latency_cycles, 6);
}

TEST(RouterInRtl, OtherRoutingFunctionsTakeOtherWays) {
    // Only a packet that arrives upwards does without the turn to the tile.
    const auto cycles = [](const std::string& routing, const std::string& source, const std::string& destination) {
        const PointResult point =
            run("Lone Packets", 2, {{"source", source}, {"destination", destination}}, {{"router.routing", routing}});
        EXPECT_TRUE(point.rows.at(0).data_ok);
        return point.rows.at(0).latency_cycles;
    };
    EXPECT_EQ(cycles("x_first", "0,1", "1,0"), 7);
    EXPECT_EQ(cycles("y_first", "0,1", "1,0"), 8);
    EXPECT_EQ(cycles("west_first", "0,1", "1,0"), 8);
    EXPECT_EQ(cycles("x_first", "1,1", "0,0"), 7);
    EXPECT_EQ(cycles("y_first", "1,1", "0,0"), 8);
    EXPECT_EQ(cycles("west_first", "1,1", "0,0"), 7);
}

TEST(RouterInRtl, EachRoutingFunctionDeliversAllPacketsOfAnOverload) {
    for (const std::string routing : {"y_first", "west_first", "odd_even", "minimal_adaptive"}) {
        const PointResult point = run("Open Loop", 8, {{"pattern", "uniform"}, {"injection_rate", "0.9"}},
                                      {{"router.virtual_channels", "3"}, {"router.routing", routing}});
        EXPECT_TRUE(point.rows.at(0).data_ok) << routing;
    }
}

/// Known since Chiu (2000) and Duato (1993): adaptive routing goes around the diagonal on which transpose traffic
/// meets. It breaks up the even load of uniform traffic, which without further virtual channels costs throughput.
TEST(RouterInRtl, AdaptiveRoutingSaturatesLaterOnTransposeTrafficOnly) {
    const auto saturation = [](const std::string& routing, const std::string& channels, const std::string& pattern) {
        const PointResult point = run(
            "Open Loop", 8, {{"pattern", pattern}, {"injection_rate", "saturation"}, {"arrivals", "own_generators"}},
            {{"router.virtual_channels", channels},
             {"router.routing", routing},
             {"board.columns", "8"},
             {"board.rows", "8"}});
        EXPECT_TRUE(point.rows.at(0).data_ok);
        return point.rows.at(0).bandwidth_bytes_per_cycle;
    };
    EXPECT_GT(saturation("odd_even", "1", "transpose"), 1.4 * saturation("x_first", "1", "transpose"));
    EXPECT_GT(saturation("x_first", "1", "uniform"), 1.1 * saturation("odd_even", "1", "uniform"));
    EXPECT_GT(saturation("minimal_adaptive", "2", "transpose"), 1.7 * saturation("x_first", "2", "transpose"));
}

/// Lone packets meet nothing, and prefer to go along x.
TEST(RouterInRtl, APacketAloneTakesTheWayOfItsTables) {
    for (const std::string routing : {"odd_even", "minimal_adaptive"}) {
        for (const std::string destination : {"3,3", "2,1", "0,2", "3,0"}) {
            const PointResult point = run("Lone Packets", 8, {{"source", "1,2"}, {"destination", destination}},
                                          {{"router.virtual_channels", "2"}, {"router.routing", routing}});
            EXPECT_EQ(point.rows.at(0).latency_cycles, statistic(point, "mean_unhindered_latency_cycles"))
                << destination;
        }
    }
}

TEST(RouterInRtl, VirtualChannelsThatCannotBeSimulatedAreRefused) {
    EXPECT_EQ(test::error_message([] { run("Lone Packets", 2, {}, {{"router.virtual_channels", "33"}}); }),
              "setting router.virtual_channels=33: expected at most 32 (bits of the masks of virtual channels that "
              "routers are simulated with), found 33");
    EXPECT_EQ(test::error_message([] { run("Lone Packets", 2, {}, {{"router.routing", "minimal_adaptive"}}); }),
              "setting router.routing=minimal_adaptive: expected router.virtual_channels to be at least 2 (an escape "
              "channel and an adaptive one, for router.routing minimal_adaptive), found 1");
    const PointResult most =
        run("Open Loop", 8, {{"pattern", "uniform"}, {"injection_rate", "0.9"}}, {{"router.virtual_channels", "32"}});
    EXPECT_TRUE(most.rows.at(0).data_ok);
}

struct Published {
    std::string pattern;
    int flits = 0;
    std::string rate;
    int packets = 0;
    double mean_latency = 0;
    int p99_latency = 0;
    int max_latency = 0;
};

// Only the highest loads, at which arbitration matters. All rows are in plots/reference/verilog_openpiton_2026.csv.
TEST(RouterInRtl, TheOpenLoopIsThatOfTheVerilogToTheCycle) {
    for (const Published& published :
         {Published{"uniform", 2, "0.4", 12797, 12.519, 34, 54}, Published{"uniform", 8, "0.4", 3191, 38.032, 154, 187},
          Published{"uniform", 32, "0.3", 646, 73.938, 288, 494},
          Published{"transpose", 2, "0.4", 12769, 1308.471, 6884, 7125},
          Published{"transpose", 8, "0.4", 3168, 508.486, 3622, 4021},
          Published{"hotspot", 2, "0.4", 12817, 499.102, 4158, 4482},
          Published{"hotspot", 8, "0.3", 2398, 31.478, 157, 215}}) {
        SCOPED_TRACE(fmt::format("{} {} {}", published.pattern, published.flits, published.rate));
        const PointResult point =
            run("Open Loop", published.flits, {{"pattern", published.pattern}, {"injection_rate", published.rate}});
        EXPECT_EQ(statistic(point, "measured_packets"), published.packets);
        EXPECT_NEAR(point.rows.at(0).latency_cycles, published.mean_latency, 0.0006);
        EXPECT_EQ(statistic(point, "p99_latency_cycles"), published.p99_latency);
        EXPECT_EQ(statistic(point, "max_latency_cycles"), published.max_latency);
        EXPECT_TRUE(point.rows.at(0).data_ok);
    }
}

TEST(RouterInRtl, WithoutItsRulesItIsAnotherOne) {
    const std::map<std::string, std::string> load{{"pattern", "uniform"}, {"injection_rate", "0.3"}};
    const double published = 9.777;
    for (const Setting& setting :
         {Setting{"router.turn_cycles", "0"}, Setting{"router.release_cycles", "1"},
          Setting{"router.straight_input_of_tile", "0"}, Setting{"router.buffer_flits", "2"}}) {
        const PointResult point = run("Open Loop", 2, load, {setting});
        EXPECT_GT(std::abs(point.rows.at(0).latency_cycles / published - 1), 0.01) << setting.first;
    }
}

TEST(RouterInRtl, PacketsAtOnceTakeTurns) {
    // Four packets contend for one tile. The packet from below goes straight into the tile and is first; the others
    // follow round-robin.
    const PointResult point = run("Packets at Once", 8, {{"packets", "4>5+6>5+1>5+9>5+5>5x2@40"}});
    EXPECT_EQ(statistic(point, "latency_cycles of 9>5x8@0"), 11);
    EXPECT_EQ(statistic(point, "latency_cycles of 4>5x8@0"), 19);
    EXPECT_EQ(statistic(point, "latency_cycles of 1>5x8@0"), 27);
    EXPECT_EQ(statistic(point, "latency_cycles of 6>5x8@0"), 35);
    EXPECT_EQ(statistic(point, "latency_cycles of 5>5x2@40"), 4);
    EXPECT_TRUE(point.rows.at(0).data_ok);
}

TEST(RouterInRtl, ParametersOfPacketsAreChecked) {
    for (const std::string list : {"", "0", "0>", "0>16", "16>0", "0>1x0", "0>1x", "0>1@", "0>1+", "0>1 2>3", "-1>2"}) {
        EXPECT_EQ(
            test::error_message([&] { run("Packets at Once", 2, {{"packets", list}}); }),
            fmt::format("parameter packets: expected source>destination, with xflits (1 to 4096) or @cycle behind "
                        "it or not, of nodes 0 to 15, and + before the next one, found '{}'",
                        list));
    }
    EXPECT_EQ(test::error_message([] { run("Lone Packets", 2, {{"destination", "4,0"}}); }),
              "parameter destination: expected column and row of one of 4x4 nodes, such as 0,0, found '4,0'");
    EXPECT_EQ(test::error_message([] { run("Lone Packets", 2, {}, {{"router.routing", "north_first"}}); }),
              "setting router.routing=north_first: expected one of x_first, y_first, west_first, odd_even, "
              "minimal_adaptive, found north_first");
    EXPECT_EQ(test::error_message([] { run("Lone Packets", 2, {}, {{"router.turns_at_tile", "0,1,2,3,3"}}); }),
              "setting router.turns_at_tile=0,1,2,3,3: expected a list of different numbers, each a whole number from "
              "0 to 4, "
              "at least 5, found 3 twice");
}

}  // namespace

}  // namespace nocbench::synthetic
