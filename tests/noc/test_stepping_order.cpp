// Windows of cycles longer than some latencies: stepping order of routers, and the routers that lag behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/noc/stepping_order.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/noc_parameters.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

/// Returns true if a message sent over a link in any cycle of a window is sent before its receiver is stepped through
/// the cycle of arrival. Computed by enumeration of the cycles.
bool is_in_time(std::size_t sender, std::size_t receiver, Cycle latency, const std::vector<NodeIndex>& order,
                const std::vector<Cycle>& skews, Cycle window) {
    const auto step = [&](std::size_t node, Cycle cycle) {  // position in the sequence of router steps
        const auto rank = std::ranges::find(order, static_cast<NodeIndex>(node)) - order.begin();
        return (cycle + skews[node]) / window * static_cast<Cycle>(order.size()) + rank;
    };
    for (Cycle cycle = 1000; cycle < 1000 + window; ++cycle) {
        if (step(sender, cycle) >= step(receiver, cycle + latency)) {
            return false;
        }
    }
    return true;
}

void expect_in_time(const Topology& topology, const LinkLatencies& latencies, const std::vector<Cycle>& skews,
                    Cycle window) {
    const std::vector<NodeIndex> order = stepping_order(topology, latencies, skews, window);
    ASSERT_EQ(order.size(), static_cast<std::size_t>(topology.num_nodes));
    for (std::size_t node = 0; node < order.size(); ++node) {
        for (int port = 1; port < topology.num_ports; ++port) {
            if (const Topology::Link& link = topology.link(static_cast<int>(node), port); link.exists) {
                EXPECT_TRUE(is_in_time(node, link.neighbour, latencies.along, order, skews, window))
                    << "flits from " << node << " to " << link.neighbour;
                EXPECT_TRUE(is_in_time(link.neighbour, node, latencies.against, order, skews, window))
                    << "credits from " << link.neighbour << " to " << node;
            }
        }
    }
}

TEST(SteppingOrder, WhateverArrivesInAWindowHasBeenSent) {
    for (const int noc : {0, 1}) {
        for (const auto& [columns, rows] : {std::pair{10, 12}, {17, 12}, {5, 3}, {2, 2}}) {
            for (const Cycle skew : {2, 4, 6}) {
                SCOPED_TRACE(std::to_string(columns) + "x" + std::to_string(rows) + ", " + std::to_string(skew));
                expect_in_time(unidirectional_torus(columns, rows, noc), {9, 6}, ring_cut_skews(columns, rows, skew),
                               8);
            }
        }
    }
    const Topology plain = mesh(5, 4);
    expect_in_time(plain, {3, 3}, checkerboard_skews(plain, 3), 6);
    const Topology wrapped = bidirectional_torus(6, 4);
    expect_in_time(wrapped, {2, 5}, checkerboard_skews(wrapped, 2), 4);
}

TEST(SteppingOrder, TheLongestWindows) {
    const auto longest = [](const Topology& topology, const LinkLatencies& latencies, const std::vector<Cycle>& skews) {
        return longest_window(topology, latencies, skews, 100);
    };
    const Topology torus = unidirectional_torus(17, 12, 1);
    EXPECT_EQ(longest(torus, {9, 6}, {}), 6);
    EXPECT_EQ(longest(torus, {9, 6}, ring_cut_skews(17, 12, 1)), 7);
    EXPECT_EQ(longest(torus, {9, 6}, ring_cut_skews(17, 12, 3)), 9);
    EXPECT_EQ(longest(torus, {9, 6}, ring_cut_skews(17, 12, 4)), 9) << "flits take no longer";
    EXPECT_EQ(longest(torus, {9, 6}, ring_cut_skews(17, 12, 7)), 0)
        << "what is late by more than it takes comes too late";
    EXPECT_EQ(longest(torus, {4, 6}, ring_cut_skews(17, 12, 2)), 6) << "flits arrive in the same window";
    EXPECT_EQ(longest(mesh(5, 4), {3, 3}, {}), 3);
    EXPECT_EQ(longest(mesh(5, 4), {3, 3}, checkerboard_skews(mesh(5, 4), 3)), 6);
    EXPECT_TRUE(checkerboard_skews(unidirectional_torus(17, 12, 0), 3).empty());
}

WindowSchedule schedule_of(const std::string& board, const std::vector<Setting>& settings = {}) {
    const Architecture& architecture = test::architecture_of(board, settings);
    const TorusArchitecture& torus = torus_of(architecture);
    const TorusBoard& torus_board = torus_of(architecture.board(board));
    return window_schedule(torus, torus_board, Grid(torus, torus_board));
}

TEST(WindowScheduleTest, WindowsOfChipsFillAWord) {
    for (const std::string& board : test::all_boards()) {
        const WindowSchedule schedule = schedule_of(board);
        EXPECT_EQ(schedule.window_cycles, 8) << board;
        EXPECT_EQ(schedule.event_skew_cycles, 2) << board;
        EXPECT_EQ(std::ranges::max(schedule.skew_cycles), 4) << board;
        EXPECT_EQ(schedule.endpoint_skew_cycles, -1) << board;
    }
}

TEST(WindowScheduleTest, ShorterLatenciesMakeShorterWindows) {
    const auto cycles = [](const char* field, const char* value) {
        return schedule_of("n150", {{field, value}}).window_cycles;
    };
    EXPECT_EQ(cycles("router.hop_cycles", "5"), 6);
    EXPECT_EQ(cycles("router.credit_return_cycles", "1"), 2) << "skews are no longer than what they make up for";
    EXPECT_EQ(cycles("niu.ejection_cycles", "1"), 4) << "events skew no longer than a command takes to its NIU";
    EXPECT_EQ(cycles("risc.register_load_cycles", "6"), 7);
    EXPECT_EQ(cycles("dram.write_buffer_bytes", "256"), 6);
    EXPECT_EQ(cycles("memory.read_latency_cycles", "0"), 6);
}

}  // namespace

}  // namespace nocbench
