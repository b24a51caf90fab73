// Shortened points, which are run with fewer transactions than requested.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/frame/steady_state.h"

namespace nocbench {

namespace {

struct Case {
    std::string name;
    std::string test;
    std::map<std::string, std::string> parameters;
    double from_flit_hops = 0;
};

void PrintTo(const Case& point, std::ostream* stream) { *stream << point.name; }

PointResult run_shortened(const Case& point, double from_flit_hops, const std::vector<Setting>& settings = {}) {
    return run_point_shortened(find_test(point.test), "wormhole_b0", "", point.parameters, settings,
                               {.from_flit_hops = from_flit_hops});
}

PointResult run_whole(const Case& point) {
    return run_point(find_test(point.test), "wormhole_b0", "", point.parameters, {});
}

bool is_shortened(const PointResult& point) {
    return point.params.find("simulated_transactions=") != std::string::npos;
}

/// Expects two equal results.
void expect_same(const PointResult& left, const PointResult& right) {
    EXPECT_EQ(left.params, right.params);
    EXPECT_EQ(left.num_transactions, right.num_transactions);
    EXPECT_EQ(left.elapsed_cycles, right.elapsed_cycles);
    ASSERT_EQ(left.rows.size(), right.rows.size());
    for (std::size_t row = 0; row < left.rows.size(); ++row) {
        EXPECT_EQ(left.rows[row].latency_cycles, right.rows[row].latency_cycles);
        EXPECT_EQ(left.rows[row].bandwidth_bytes_per_cycle, right.rows[row].bandwidth_bytes_per_cycle);
        EXPECT_EQ(left.rows[row].data_ok, right.rows[row].data_ok);
    }
}

/// Expects a shortened point to have the whole point's number of transactions, and its latency within `tolerance`.
void expect_like_whole(const Case& point, double tolerance) {
    const PointResult shortened = run_shortened(point, point.from_flit_hops);
    const PointResult whole = run_whole(point);
    ASSERT_TRUE(is_shortened(shortened)) << shortened.params;
    EXPECT_EQ(shortened.num_transactions, whole.num_transactions);
    EXPECT_LT(shortened.flit_hops, whole.flit_hops);
    ASSERT_EQ(shortened.rows.size(), whole.rows.size());
    for (std::size_t row = 0; row < whole.rows.size(); ++row) {
        SCOPED_TRACE(whole.rows[row].kernel);
        EXPECT_NEAR(shortened.rows[row].latency_cycles, whole.rows[row].latency_cycles,
                    tolerance * whole.rows[row].latency_cycles);
        EXPECT_NEAR(shortened.rows[row].bandwidth_bytes_per_cycle, whole.rows[row].bandwidth_bytes_per_cycle,
                    2 * tolerance * whole.rows[row].bandwidth_bytes_per_cycle);
        EXPECT_NEAR(shortened.rows[row].all_cores_cycles, whole.rows[row].all_cores_cycles,
                    tolerance * whole.rows[row].all_cores_cycles);
        EXPECT_NEAR(shortened.rows[row].median_core_cycles, whole.rows[row].median_core_cycles,
                    tolerance * whole.rows[row].median_core_cycles);
        EXPECT_TRUE(shortened.rows[row].data_ok);
        EXPECT_EQ(shortened.rows[row].num_cores, whole.rows[row].num_cores);
    }
}

class SteadyState : public testing::TestWithParam<Case> {};

TEST_P(SteadyState, WithoutContentionShortenedPointsAreAsWholeOnes) { expect_like_whole(GetParam(), 0.002); }

INSTANTIATE_TEST_SUITE_P(
    Primitives, SteadyState,
    testing::Values(
        Case{"OneToOne", "One to One Packet Sizes", {{"num_transactions", "256"}, {"call_size", "8192"}}, 2e5},
        Case{"OneFromOne", "One from One Packet Sizes", {{"num_transactions", "256"}, {"call_size", "8192"}}, 2e5},
        Case{"OneFromAll", "One from All Packet Sizes", {{"num_transactions", "64"}, {"call_size", "2048"}}, 5e5},
        Case{"Dram", "DRAM Interleaved Packet Sizes", {{"num_transactions", "256"}, {"call_size", "8192"}}, 2e5},
        Case{"Multicast",
             "One to All Multicast 5x5 Packet Sizes without Loopback",
             {{"num_transactions", "256"}, {"call_size", "2048"}},
             1e6}),
    [](const auto& one) { return one.param.name; });

const Case kContended{
    "Contended",
    "All to All Packet Sizes",
    {{"num_transactions", "64"}, {"call_size", "4096"}, {"grid", "4x4"}, {"start", "together"}},
    2e6,
};

TEST(SteadyStateContended, ShortenedPointsAreCloseToWholeOnes) { expect_like_whole(kContended, 0.05); }

/// A point is steady if two runs predict a third run within the tolerance. With a slightly smaller tolerance it is not.
TEST(SteadyStateContended, IsSteadyWithinTheTolerance) {
    const TestDefinition& test = find_test(kContended.test);
    const auto latency_of = [&](std::uint32_t transactions) {
        std::map<std::string, std::string> parameters = kContended.parameters;
        parameters["num_transactions"] = std::to_string(transactions);
        return run_point(test, "wormhole_b0", "", parameters).rows.at(0).latency_cycles;
    };
    // The shortest runs that can be used.
    const double few = latency_of(1);
    const double more = latency_of(2);
    const double most = latency_of(4);
    const double predicted = more + 2 * std::min(more - few, more / 2);
    const double error = std::abs(predicted - most) / most;
    ASSERT_GT(error, 0.001);
    const auto run_with = [&](double tolerance) {
        return run_point_shortened(test, "wormhole_b0", "", kContended.parameters, {},
                                   {.from_flit_hops = 1, .tolerance = tolerance});
    };
    const PointResult steady = run_with(error * 1.01);
    EXPECT_EQ(steady.params, "grid=4x4;start=together;simulated_transactions=4");
    EXPECT_DOUBLE_EQ(steady.rows.at(0).latency_cycles, most + 60 * std::min((most - few) / 3, most / 4));
    EXPECT_EQ(run_with(error * 0.99).params, "grid=4x4;start=together;simulated_transactions=4;steady=0");
}

TEST(SteadyStateContended, TheMarkComesAfterTheParameters) {
    const PointResult shortened = run_shortened(kContended, kContended.from_flit_hops);
    EXPECT_EQ(shortened.params.find("grid=4x4;start=together;simulated_transactions="), 0U) << shortened.params;
}

TEST(SteadyStateContended, PointsShareTheRunsThatPredictThem) {
    SharedRuns shared;
    std::uint64_t flit_hops = 0;
    std::uint64_t flit_hops_alone = 0;
    for (const std::string num_transactions : {"64", "128", "4", "1"}) {
        Case point = kContended;
        point.parameters["num_transactions"] = num_transactions;
        SCOPED_TRACE(num_transactions);
        const PointResult alone = run_shortened(point, point.from_flit_hops);
        const PointResult found = run_point_shortened(find_test(point.test), "wormhole_b0", "", point.parameters, {},
                                                      {.from_flit_hops = point.from_flit_hops}, &shared);
        expect_same(found, alone);
        flit_hops += found.flit_hops;
        flit_hops_alone += alone.flit_hops;
    }
    // Runs of up to 64 transactions predict 128, and also serve the points of 4 and 1.
    EXPECT_EQ(flit_hops, run_shortened(kContended, kContended.from_flit_hops).flit_hops);
    EXPECT_GT(flit_hops_alone, 2 * flit_hops);
}

TEST(SteadyStateContended, ShorterPointsAreRunWhole) {
    const PointResult whole = run_whole(kContended);
    expect_same(run_shortened(kContended, std::numeric_limits<double>::infinity()), whole);
    // The shortened run includes the single transaction that measures the constant part.
    const PointResult measured = run_shortened(kContended, static_cast<double>(whole.flit_hops) * 1.01);
    expect_same(measured, whole);
    EXPECT_GT(measured.flit_hops, whole.flit_hops);
    EXPECT_LT(static_cast<double>(measured.flit_hops), 1.05 * static_cast<double>(whole.flit_hops));
}

// Cores start one after another, so few transactions end before cores contend, and many do not. Few transactions do not
// predict many.
TEST(SteadyStateContended, NothingIsPredictedAcrossTheCliff) {
    const Case before{
        "Before", "All to All Packet Sizes", {{"num_transactions", "8"}, {"call_size", "512"}, {"grid", "5x5"}}, 1e3};
    expect_same(run_shortened(before, before.from_flit_hops), run_whole(before));
    const Case across{
        "Across", "All to All Packet Sizes", {{"num_transactions", "64"}, {"call_size", "1024"}, {"grid", "4x4"}}, 1e3};
    expect_same(run_shortened(across, across.from_flit_hops), run_whole(across));
}

// With more reads in flight to each responder, fewer responders serve them at a time.
TEST(SteadyStateContended, FewReadsAreNotSteady) {
    Case reads = kContended;
    reads.test = "All from All Packet Sizes";
    reads.parameters["num_transactions"] = "32";
    const PointResult shortened = run_shortened(reads, 1e6);
    EXPECT_EQ(shortened.params, "grid=4x4;start=together;simulated_transactions=4;steady=0");
    EXPECT_EQ(shortened.num_transactions, 32U);
    EXPECT_TRUE(shortened.rows.at(0).data_ok);
}

// As a consequence, the mean time of a read falls until all reads in flight are served by one responder.
TEST(SteadyStateContended, ReadsAreExpectedToGetFaster) {
    const Case reads{"Reads",
                     "All from All Packet Sizes",
                     {{"num_transactions", "256"}, {"call_size", "8192"}, {"grid", "4x4"}, {"start", "together"}},
                     2e6};
    Case fewer = reads;
    fewer.parameters["num_transactions"] = "4";
    const double latency_of_4_cycles = run_whole(fewer).rows.at(0).latency_cycles;
    const PointResult shortened = run_shortened(reads, reads.from_flit_hops);
    EXPECT_EQ(shortened.params, "grid=4x4;start=together;simulated_transactions=4;steady=0");
    EXPECT_NEAR(shortened.rows.at(0).latency_cycles, latency_of_4_cycles * 64 * std::pow(64.0, -1.0 / 6), 1);
    // The architecture file gives the rate.
    const PointResult other = run_shortened(reads, reads.from_flit_hops, {{"shortening.contended_reads_root", "3"}});
    EXPECT_NEAR(other.rows.at(0).latency_cycles, latency_of_4_cycles * 64 * std::pow(64.0, -1.0 / 3), 1);
    // 512 KiB per core are twice the window.
    Case larger = reads;
    larger.parameters["call_size"] = "16384";
    larger.from_flit_hops *= 2;
    fewer.parameters["call_size"] = "16384";
    const double latency_of_larger_cycles = run_whole(fewer).rows.at(0).latency_cycles;
    const PointResult beyond = run_shortened(larger, larger.from_flit_hops);
    EXPECT_EQ(beyond.params, "grid=4x4;start=together;simulated_transactions=4;steady=0");
    EXPECT_NEAR(beyond.rows.at(0).latency_cycles, latency_of_larger_cycles * 64 * std::pow(32.0, -1.0 / 6), 1);
}

TEST(SteadyStateContended, NumbersOfTransactionsAreComplainedOfAsEver) {
    for (const std::string number : {"", "x", "-1", "0", "99999999999999"}) {
        Case point = kContended;
        point.parameters["num_transactions"] = number;
        EXPECT_ANY_THROW(run_shortened(point, point.from_flit_hops)) << number;
    }
}

/// Test of one link whose rows have a given bandwidth.
TestDefinition test_of_bandwidth() {
    TestDefinition test;
    test.name = "Bandwidth";
    test.parameters = {{.name = "bandwidth", .default_value = "1", .meaning = "bytes per cycle"}};
    test.measure = [](const PointParameters& point, const Architecture& /*architecture*/, const Board& /*board*/,
                      const MachineWatcher& /*watch*/) {
        Measurement measurement;
        ResultRow row;
        row.bandwidth_bytes_per_cycle = point.number("bandwidth", 1, 100);
        row.data_ok = true;
        measurement.rows.push_back(row);
        return measurement;
    };
    return test;
}

TEST(Rows, FasterThanTheirLinksAreNoResults) {
    const TestDefinition test = test_of_bandwidth();
    const auto row_of = [&](const std::string& bandwidth) {
        return run_point(test, "wormhole_b0", "",
                         {{"num_transactions", "1"}, {"call_size", "64"}, {"bandwidth", bandwidth}}, {})
            .rows.front();
    };
    EXPECT_TRUE(row_of("32").data_ok);
    EXPECT_EQ(row_of("32").data_fault, "");
    EXPECT_FALSE(row_of("33").data_ok);
    EXPECT_EQ(row_of("33").data_fault, "33 B/cycle, above the theoretical maximum of 32");
}

}  // namespace

}  // namespace nocbench
