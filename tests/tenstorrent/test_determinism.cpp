// Two runs of a program agree in all observable results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model/sim/error.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "kernels/frame/primitive.h"
#include "tests/support/finished_point.h"
#include "tests/support/random_program.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using test::RandomProgram;

void append(std::vector<std::int64_t>& numbers, const Ledger& ledger) {
    for (std::size_t cause = 0; cause < kNumCauses; ++cause) {
        numbers.push_back(ledger.ticks(static_cast<Cause>(cause)));
    }
}

/// Returns all numbers that a device reports.
std::vector<std::int64_t> numbers_of(const Device& device) {
    std::vector<std::int64_t> numbers{device.elapsed_cycles(), static_cast<std::int64_t>(device.flit_hops())};
    for (const KernelResult& result : device.kernel_results()) {
        numbers.push_back(result.identity.node);
        for (const Zone& zone : result.zones) {
            numbers.insert(numbers.end(), {zone.start, zone.end, zone.parent});
            append(numbers, zone.ledger);
        }
        for (const TimestampedValue& value : result.timestamped_values) {
            numbers.insert(numbers.end(), {static_cast<std::int64_t>(value.value), value.tick});
        }
    }
    for (const LinkUse& use : device.link_use()) {
        numbers.insert(numbers.end(), {use.noc, use.router.x, use.router.y, static_cast<int>(use.direction),
                                       static_cast<std::int64_t>(use.flits)});
    }
    return numbers;
}

class Determinism : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, Determinism, testing::ValuesIn(test::all_boards()),
                         [](const auto& test) { return test.param; });

TEST_P(Determinism, TheSameProgramGivesTheSameNumbers) {
    for (std::uint32_t seed = 1000; seed < 1000 + test::thinned(15U, 5U, 3U); ++seed) {
        SCOPED_TRACE("program " + std::to_string(seed));
        RandomProgram once(GetParam(), seed);
        RandomProgram again(GetParam(), seed);
        once.run();
        again.run();
        ASSERT_EQ(numbers_of(once.machine().device()), numbers_of(again.machine().device()));
    }
}

/// Parts of a chip are simulated alternately, some of them ahead of others.
TEST_P(Determinism, TheLengthOfWindowsChangesNothing) {
    const std::vector<std::vector<Setting>> latencies{
        {},
        {},
        {{"router.credit_return_cycles", "3"}},
        {{"router.hop_cycles", "7"}, {"router.reservation_reply_cycles", "4"}},
        {{"niu.ejection_cycles", "3"}, {"risc.register_return_cycles", "7"}},
        {{"dram.write_buffer_bytes", "1024"}, {"niu.outstanding_reads_max", "3"}},
    };
    for (std::uint32_t seed = 2000; seed < 2000 + test::thinned(24U, 4U, 3U); ++seed) {
        SCOPED_TRACE("program " + std::to_string(seed));
        const std::vector<Setting>& settings = latencies[seed % latencies.size()];
        RandomProgram usual(GetParam(), seed, Network::kWindowCyclesMax, settings);
        usual.run();
        for (const Cycle block : {1, 5, 7}) {
            SCOPED_TRACE("blocks of " + std::to_string(block) + " cycles");
            RandomProgram shorter(GetParam(), seed, block, settings);
            shorter.run();
            ASSERT_EQ(numbers_of(shorter.machine().device()), numbers_of(usual.machine().device()));
        }
    }
}

TEST_P(Determinism, InterfacesAreToldOfAllThatTheyCanStart) {
    for (std::uint32_t seed = 3000; seed < 3000 + test::thinned(24U, 4U, 3U); ++seed) {
        SCOPED_TRACE("program " + std::to_string(seed));
        RandomProgram told(GetParam(), seed);
        told.run();
        RandomProgram asking(GetParam(), seed);
        for (const auto& interfaces : asking.machine().device().state().interfaces) {
            interfaces->set_polls(true);
        }
        asking.run();
        ASSERT_EQ(numbers_of(asking.machine().device()), numbers_of(told.machine().device()));
    }
}

TEST_P(Determinism, OtherDevicesChangeNothing) {
    RandomProgram alone(GetParam(), 7);
    alone.run();
    RandomProgram other(GetParam(), 8);
    RandomProgram between(GetParam(), 7);
    other.run();
    between.run();
    EXPECT_EQ(numbers_of(alone.machine().device()), numbers_of(between.machine().device()));
    EXPECT_NE(numbers_of(alone.machine().device()), numbers_of(other.machine().device()));
}

TEST(DeterminismOfPoints, ThePointsOfATestAreIndependent) {
    const std::vector<TestDefinition> tests(all_tests().begin(), all_tests().end());
    for (const TestDefinition& test : test::thinned(tests, 5, 3)) {
        if (test::kIsThinned && test.primitive.starts_with("all_")) {
            continue;  // runs of the whole grid have separate tests
        }
        for (const std::string& arch : test::architectures_of(test.kind)) {
            if (!test::is_offered(test.name, arch)) {
                continue;
            }
            // Large enough for packets to contend, small enough for tests of the whole grid, and for tests whose calls
            // move all data of L1.
            constexpr std::int64_t kCallBytesMax = 2048;
            constexpr std::int64_t kTransactionsMax = 16;
            const Sweep sweep = test.sweep_on(arch, Tier::quick);
            const std::size_t second = std::min<std::size_t>(1, sweep.call_size_bytes.size() - 1);
            const std::string call_size = std::to_string(std::min(sweep.call_size_bytes[second], kCallBytesMax));
            const std::int64_t usual = std::min(sweep.num_transactions.back(), kTransactionsMax);
            const auto latencies = [&](std::int64_t num_transactions) {
                const PointResult point = run_point(
                    test, arch, "", {{"num_transactions", std::to_string(num_transactions)}, {"call_size", call_size}});
                std::vector<double> cycles;
                cycles.reserve(point.rows.size());
                for (const ResultRow& row : point.rows) {
                    cycles.push_back(row.latency_cycles);
                }
                return cycles;
            };
            std::vector<double> first;
            try {
                first = latencies(usual);
            } catch (const InputError& error) {
                // Device kernels need a compiler; Python tests run them twice.
                if (std::string(error.what()).find("expected a compiler") == std::string::npos) {
                    throw;
                }
                continue;
            }
            const std::vector<double> other = latencies(usual + 1);
            EXPECT_EQ(latencies(usual), first) << test.name;
            EXPECT_NE(other, first) << test.name;
        }
    }
}

}  // namespace

}  // namespace nocbench
