// Combination of several cores into one row: medians or means, and the limiter of the median core.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/frame/primitive.h"

namespace nocbench {

namespace {

struct Core {
    Cycle latency = 0;
    Cause limiter = Cause::issue;
};

std::vector<CoreResult> results_of(const std::vector<Core>& cores) {
    std::vector<CoreResult> results;
    results.reserve(cores.size());
    for (const Core& core : cores) {
        CoreResult result;
        result.latency = ticks_from_cycles(core.latency);
        result.bandwidth_bytes_per_cycle = 1000.0 / static_cast<double>(core.latency);
        result.ledger.book(core.limiter, result.latency);
        results.push_back(result);
    }
    return results;
}

const std::vector<Core> kFour{{100, Cause::link}, {400, Cause::dram}, {125, Cause::acks}, {200, Cause::window}};

TEST(RowOfCores, HasTheMedianOfAnOddNumber) {
    const ResultRow row = row_of_cores({}, results_of({{500, Cause::link}, {100, Cause::dram}, {250, Cause::acks}}));
    EXPECT_EQ(row.latency_cycles, 250);
    EXPECT_EQ(row.bandwidth_bytes_per_cycle, 4);
    EXPECT_EQ(row.limiter, Cause::acks);
    EXPECT_EQ(row.num_cores, 3U);
}

TEST(RowOfCores, HasTheMeanOfTheTwoInTheMiddleOfAnEvenNumber) {
    const ResultRow row = row_of_cores({}, results_of(kFour));
    EXPECT_EQ(row.latency_cycles, (125 + 200) / 2.0);
    EXPECT_EQ(row.bandwidth_bytes_per_cycle, (8 + 5) / 2.0);
    EXPECT_EQ(row.limiter, Cause::acks) << "of the faster one of the two";
}

TEST(RowOfCores, HasMeansWhereTheyAreAskedFor) {
    KernelReport report;
    report.summary = CoreSummary::mean;
    const ResultRow row = row_of_cores(report, results_of(kFour));
    EXPECT_EQ(row.latency_cycles, (100 + 400 + 125 + 200) / 4.0);
    EXPECT_EQ(row.bandwidth_bytes_per_cycle, (10 + 2.5 + 8 + 5) / 4.0);
}

TEST(RowOfCores, HasTheDurationsOfTheMedianCoreAndOfAllCores) {
    const auto run = [](const std::string& test, std::map<std::string, std::string> parameters) {
        parameters.insert({{"num_transactions", "2"}, {"call_size", "64"}});
        return run_point(find_test(test), "wormhole_b0", "", parameters, {{"board.launch_skew_cycles", "1000"}})
            .rows.at(0);
    };
    const ResultRow skewed = run("All to All Packet Sizes", {{"grid", "2x2"}, {"start", "skewed"}});
    EXPECT_EQ(skewed.latency_cycles, skewed.median_core_cycles);
    EXPECT_NEAR(skewed.all_cores_cycles - skewed.median_core_cycles, 3 * 1000, 300) << "four cores start in turn";
    const ResultRow together = run("DRAM Shared Channels Read", {});
    EXPECT_EQ(together.latency_cycles, together.all_cores_cycles);
    EXPECT_LT(together.median_core_cycles, together.all_cores_cycles);
}

}  // namespace

}  // namespace nocbench
