// Flow tables take as long as equivalent hand-written kernels, check their data, and keep limits and order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/frame/flows/flow_table.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

using namespace dataflow;

Flow flow(LogicalCoordinate core, LogicalCoordinate partner, std::uint32_t call_bytes, std::uint64_t num_calls) {
    Flow made;
    made.core = core;
    made.cores = {partner, partner};
    made.call_bytes = call_bytes;
    made.num_calls = num_calls;
    return made;
}

FlowTable table_of(std::vector<Flow> flows, std::vector<std::string> groups = {"a", "b", "c"}) {
    FlowTable table;
    table.name = "table";
    table.groups = std::move(groups);
    table.flows = std::move(flows);
    return table;
}

FlowTableResult run_on(const std::string& board, const FlowTable& table, const MachineWatcher& watcher = {}) {
    return run_flow_table(table, board.starts_with('n') ? "wormhole_b0" : "blackhole", board, {}, watcher);
}

double cycles_of(const FlowTimes& times) { return cycles_from_ticks(times.end - times.begin); }

class OnEveryBoard : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(FlowTable, OnEveryBoard, testing::Values("n150", "p100"),
                         [](const auto& board) { return board.param; });

TEST_P(OnEveryBoard, TakesAsLongAsTheSameKernelsByHand) {
    constexpr std::uint32_t kBytes = 4096;
    constexpr int kColumns = 4;
    std::vector<Flow> flows;
    test::Machine machine(GetParam());
    for (int source = 0; source < kColumns; ++source) {
        for (int destination = 0; destination < kColumns; ++destination) {
            flows.push_back(flow({source, 0}, {destination, 2}, kBytes, 16));
            flows.push_back(flow({source, 0}, {destination, 3}, kBytes, 16));
            flows.back().kind = Flow::Kind::read;
            flows.back().noc = 1;
            flows.back().riscv = 1;
            flows.back().group = 1;
        }
        machine.add_kernel({{source, 0}, 0, 0}, [&machine] {
            for (int destination = 0; destination < kColumns; ++destination) {
                const std::uint64_t there =
                    get_noc_addr(machine.x({destination, 2}), machine.y({destination, 2}), test::kBuffer + kBytes);
                for (int call = 0; call < 16; ++call) {
                    noc_async_write(test::kBuffer, there, kBytes);
                }
                noc_async_write_barrier();
            }
        });
        machine.add_kernel({{source, 0}, 1, 1}, [&machine] {
            for (int destination = 0; destination < kColumns; ++destination) {
                const std::uint64_t there =
                    get_noc_addr(machine.x({destination, 3}), machine.y({destination, 3}), test::kBuffer);
                for (int call = 0; call < 16; ++call) {
                    noc_async_read(there, test::kBuffer + kBytes, kBytes);
                }
                noc_async_read_barrier();
            }
        });
    }
    machine.run();
    const FlowTableResult result = run_on(GetParam(), table_of(flows));
    EXPECT_EQ(result.point.elapsed_cycles, machine.device().elapsed_cycles());
    ASSERT_EQ(result.point.rows.size(), 2);
    for (const ResultRow& row : result.point.rows) {
        EXPECT_EQ(row.data_fault, "");
        EXPECT_EQ(row.num_cores, kColumns);
        EXPECT_EQ(row.transaction_size_bytes, kBytes);
    }
    EXPECT_EQ(result.num_transactions, (std::vector<std::uint64_t>{256, 256}));
}

TEST_P(OnEveryBoard, EveryKindOfFlowMovesItsData) {
    std::vector<Flow> flows;
    for (const Flow::Partner partner :
         {Flow::Partner::core, Flow::Partner::rectangle, Flow::Partner::bank, Flow::Partner::all_banks}) {
        for (const Flow::Kind kind : {Flow::Kind::write, Flow::Kind::posted_write, Flow::Kind::read}) {
            for (int noc = 0; noc < 2; ++noc) {
                for (const std::uint32_t bytes : {64U, 20000U}) {
                    if (partner == Flow::Partner::rectangle && kind != Flow::Kind::write) {
                        continue;
                    }
                    flows.push_back(flow({1, 1}, {2, 3}, bytes, 30));
                    flows.back().kind = kind;
                    flows.back().partner = partner;
                    flows.back().noc = noc;
                    flows.back().riscv = noc;
                    flows.back().bank = 2;
                    if (partner == Flow::Partner::rectangle) {
                        flows.back().cores = {{0, 0}, {2, 3}};
                    }
                }
            }
        }
    }
    std::uint64_t delivered = 0;
    const FlowTableResult result = run_on(GetParam(), table_of(flows));
    for (const TileDeliveries& tile : result.point.deliveries) {
        delivered += tile.bytes;
    }
    constexpr std::uint64_t kBytesOfCalls = 30 * (64 + 20000);
    constexpr std::uint64_t kReceivers = 11;
    EXPECT_EQ(delivered, 2 * kBytesOfCalls * (3 + kReceivers + 3 + 3));
    ASSERT_EQ(result.point.rows.size(), 2);  // one for each NoC
    EXPECT_EQ(result.point.rows.front().kernel, "a, NoC 0");
    EXPECT_EQ(result.point.rows.back().kernel, "a, NoC 1");
    for (const ResultRow& row : result.point.rows) {
        EXPECT_EQ(row.data_fault, "");
    }
}

TEST_P(OnEveryBoard, BothNocsMayUseABank) {
    std::vector<Flow> flows;
    for (int core = 0; core < 3; ++core) {
        for (const Flow::Kind kind : {Flow::Kind::write, Flow::Kind::read}) {
            for (int noc = 0; noc < 2; ++noc) {
                flows.push_back(flow({core, 3}, {}, 3000, 9));
                flows.back().kind = kind;
                flows.back().partner = Flow::Partner::all_banks;
                flows.back().noc = noc;
                flows.back().riscv = noc;
            }
        }
    }
    const FlowTableResult result = run_on(GetParam(), table_of(flows));
    EXPECT_EQ(result.point.rows.front().data_fault, "");
}

TEST(FlowTable, AWrongByteIsNoticed) {
    const FlowTableResult result = run_on("n150", table_of({flow({0, 0}, {1, 1}, 20000, 3)}), [](Machine& machine) {
        machine.observers().tamper = [count = 0](const Delivery&, std::span<std::byte> bytes) mutable {
            if (++count == 5) {
                bytes[7] ^= std::byte{1};
            }
        };
    });
    const ResultRow& row = result.point.rows.front();
    EXPECT_FALSE(row.data_ok);
    EXPECT_NE(row.data_fault.find("transaction 2 of 3, packet 2 of 3"), std::string::npos) << row.data_fault;
    EXPECT_NE(row.data_fault.find("byte 7"), std::string::npos) << row.data_fault;
}

TEST(FlowTable, AWindowLimitsWhatIsOutstanding) {
    std::vector<double> cycles;
    for (const std::uint64_t window : {1U, 2U, 8U, 0U}) {
        Flow one = flow({0, 0}, {7, 7}, 2048, 64);
        one.kind = Flow::Kind::read;
        one.noc = 1;
        one.riscv = 1;
        one.window = window;
        cycles.push_back(cycles_of(run_on("n150", table_of({one})).flows.front()));
    }
    Flow one_by_one = flow({0, 0}, {7, 7}, 2048, 64);
    one_by_one.kind = Flow::Kind::read;
    one_by_one.noc = 1;
    one_by_one.riscv = 1;
    one_by_one.barrier_interval = 1;
    const double with_barriers = cycles_of(run_on("n150", table_of({one_by_one})).flows.front());
    EXPECT_NEAR(cycles[0], with_barriers, with_barriers / 20);
    EXPECT_LT(cycles[1], cycles[0] * 0.6);
    EXPECT_LT(cycles[2], cycles[1]);
    EXPECT_LT(cycles[3], cycles[2]);
}

TEST(FlowTable, FlowsStartAfterOthersAndAtTheirCycle) {
    const Flow first = flow({0, 0}, {1, 1}, 8192, 8);
    const Flow other = flow({3, 3}, {1, 1}, 8192, 16);
    Flow second = flow({5, 5}, {6, 6}, 64, 1);
    second.group = 1;
    second.after = 0;
    Flow third = flow({5, 5}, {6, 6}, 64, 1);
    third.group = 2;
    third.after = 1;
    third.start = ticks_from_cycles(500);
    Flow late = flow({7, 7}, {0, 7}, 64, 1);
    late.group = 2;
    late.start = ticks_from_cycles(100'000);
    const FlowTableResult result = run_on("n150", table_of({first, other, second, third, late}));
    const Tick ended = std::max(result.flows[0].end, result.flows[1].end);
    EXPECT_EQ(result.flows[2].begin, ended + ticks_from_cycles(kSignalCycles));
    EXPECT_EQ(result.flows[3].begin, result.flows[2].end + ticks_from_cycles(kSignalCycles + 500));
    EXPECT_EQ(result.flows[4].begin, ticks_from_cycles(100'000));
}

TEST(FlowTable, CallsKeepTheirInterval) {
    Flow one = flow({0, 0}, {1, 1}, 64, 10);
    one.call_interval = ticks_from_cycles(1000);
    Flow other = one;
    other.group = 1;
    other.start = ticks_from_cycles(500);
    const FlowTableResult result = run_on("n150", table_of({one, other}));
    EXPECT_GT(result.flows[0].end, ticks_from_cycles(9000));
    EXPECT_LT(result.flows[0].end, ticks_from_cycles(9500));
    EXPECT_GT(result.flows[1].end, ticks_from_cycles(9500));
    EXPECT_LT(result.flows[1].end, ticks_from_cycles(10'000));
}

TEST(FlowTable, TheWaitsOfACoreAddUpToItsLatency) {
    std::vector<Flow> flows;
    for (int number = 0; number < 12; ++number) {
        flows.push_back(flow({0, number % 2}, {3, number % 3}, 3000, 5));
        flows.back().group = static_cast<std::size_t>(number % 3);
        flows.back().kind = number % 4 == 3 ? Flow::Kind::read : Flow::Kind::write;
        flows.back().barrier_interval = number % 5 == 0 ? 2 : Flow::kNoBarrier;
    }
    const FlowTableResult result = run_on("p100", table_of(flows));
    EXPECT_EQ(result.point.rows.size(), 3);
    for (const CoreResult& core : result.point.cores) {
        EXPECT_EQ(core.ledger.total(), core.latency);
        EXPECT_GE(core.ledger.ticks(Cause::issue), 0);
    }
}

TEST(FlowTable, FlowsThatWaitForEachOtherAreADeadlock) {
    Flow first = flow({0, 0}, {1, 1}, 64, 1);
    first.after = 1;
    Flow second = flow({0, 0}, {1, 1}, 64, 1);
    second.group = 1;
    try {
        run_on("n150", table_of({first, second}));
        FAIL() << "expected an error";
    } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("a flow that starts after 'b' (1 of these flows have not ended)"),
                  std::string::npos)
            << error.what();
    }
}

TEST(FlowTable, WhatDoesNotFitIsRefused) {
    EXPECT_THROW(run_on("n150", table_of({flow({0, 0}, {1, 1}, 700'000, 1)})), std::exception);
    EXPECT_THROW(run_on("n150", table_of({})), std::exception);
}

}  // namespace

}  // namespace nocbench
