// Times of timestamp reads and of latch-unit cycles.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "device_model/sim/error.h"
#include "etherbone_cycles/programs.h"
#include "kernels/frame/primitive.h"
#include "tests/support/error_message.h"

namespace nocbench::etherbone_cycles {

namespace {

constexpr const char* kArchitecture = "etherbone";
constexpr double kNanosecondsPerCycle = 8;

struct PointOfTest {
    std::string test;
    std::string method = "blocking";
    int timestamps = 1;
    std::string board{};              // empty: board of the test; NOLINT(readability-redundant-member-init)
    std::vector<Setting> settings{};  // NOLINT(readability-redundant-member-init)
};

/// Returns the mean nanoseconds per timestamp.
double nanoseconds(const PointOfTest& point) {
    constexpr int kCycles = 90;
    const PointResult result = run_point(find_test(point.test), kArchitecture, point.board,
                                         {{"num_transactions", std::to_string(kCycles)},
                                          {"call_size", std::to_string(8 * point.timestamps)},
                                          {"method", point.method}},
                                         point.settings);
    EXPECT_TRUE(result.rows.front().data_ok) << result.rows.front().data_fault;
    return result.rows.front().latency_cycles * kNanosecondsPerCycle / kCycles / point.timestamps;
}

double spacing_nanoseconds(const std::string& test) {
    const PointResult result =
        run_point(find_test(test), kArchitecture, "", {{"num_transactions", "10"}, {"call_size", "64"}});
    return result.rows.front().latency_cycles * kNanosecondsPerCycle / 10 / 7;
}

// With the Etherbone slave in the driver, a blocking cycle takes a constant time plus one read on the processor's bus
// for each word and for the status.
TEST(EtherboneCycles, BlockingPcieIsLinearInReads) {
    constexpr double kReadNs = 2985;
    const auto cycle = [](int timestamps) {
        return timestamps * nanoseconds({.test = "Timestamps SCU3 PCIe", .timestamps = timestamps});
    };
    const double start = cycle(1) - 3 * kReadNs;
    for (const int timestamps : {2, 5, 8}) {
        EXPECT_NEAR(cycle(timestamps), start + (2 * timestamps + 1) * kReadNs, 100) << timestamps;
    }
    // Each single read also reads the status.
    EXPECT_NEAR(nanoseconds({.test = "Timestamps SCU3 PCIe", .method = "convenience"}), 2 * (start + 2 * kReadNs), 200);
}

TEST(EtherboneCycles, SpacingIsThatOfTheBridge) {
    EXPECT_NEAR(spacing_nanoseconds("Spacing SCU3 PCIe"), 2 * 2985, 2);
    EXPECT_NEAR(spacing_nanoseconds("Spacing SCU3 GigE"), 64, 0.01);
    EXPECT_NEAR(spacing_nanoseconds("Spacing Exploder USB"), 2 * 4 * 152, 40);  // all requests precede the answers
}

TEST(EtherboneCycles, WhatDecidesIsTheLayerThatTheBridgeLeaves) {
    const PointOfTest pcie{.test = "Timestamps SCU3 PCIe", .method = "pipelined", .timestamps = 8};
    PointOfTest slow_reads = pcie;
    slow_reads.settings = {{"host.word_read_ns", "5970"}};
    EXPECT_NEAR(nanoseconds(slow_reads) / nanoseconds(pcie), 2, 0.1);
    const PointOfTest gige{.test = "Timestamps SCU3 GigE"};
    PointOfTest slow_network = gige;
    slow_network.settings = {{"host.network_ns", "142740"}};
    EXPECT_NEAR(nanoseconds(slow_network) - nanoseconds(gige), 100'000, 10);
    // Option --board selects another board.
    EXPECT_LT(nanoseconds({.test = "Timestamps SCU3 PCIe", .board = "t5810_pcie"}), 9000);
}

TEST(EtherboneCycles, PipeliningNeverLoses) {
    for (const TestDefinition* test : tests_of(ArchitectureKind::wishbone_bridge)) {
        if (!test->name.starts_with("Timestamps")) {
            continue;
        }
        for (const int timestamps : {1, 8}) {
            EXPECT_LT(nanoseconds({.test = test->name, .method = "pipelined", .timestamps = timestamps}),
                      nanoseconds({.test = test->name, .timestamps = timestamps}))
                << test->name;
        }
    }
}

TEST(EtherboneCycles, AllTimeOfTheHostIsBooked) {
    for (const TestDefinition* test : tests_of(ArchitectureKind::wishbone_bridge)) {
        std::map<std::string, std::string> parameters{{"num_transactions", "3"},
                                                      {"call_size", test->name.starts_with("Latch") ? "16" : "24"}};
        for (const char* method : {"blocking", "pipelined"}) {
            if (test->name.starts_with("Timestamps")) {
                parameters["method"] = method;
            }
            const PointResult result = run_point(*test, kArchitecture, "", parameters);
            ASSERT_EQ(result.cores.size(), 1U);
            EXPECT_EQ(result.cores.front().ledger.total(), result.cores.front().latency) << test->name;
            EXPECT_GT(result.deliveries.size(), 0U);
        }
    }
}

TEST(EtherboneCycles, LatchedTimesAreThoseOfPulses) {
    for (const char* board : {"PCIe", "GigE"}) {
        const TestDefinition& test = find_test(std::string("Latch Unit SCU3 ") + board);
        // The run lasts long enough for more than one pulse.
        const PointResult result =
            run_point(test, kArchitecture, "", {{"num_transactions", "80000"}, {"call_size", "16"}});
        EXPECT_TRUE(result.rows.front().data_ok) << result.rows.front().data_fault;
    }
}

TEST(EtherboneCycles, TimestampsThatDoNotGoOnAreAFault) {
    const Timestamps times{.leading_ns = 10, .acquired_ns = {11, 13, 12}, .trailing_ns = 20};
    EXPECT_EQ(times.fault(), "timestamp 2: expected a time after 13 ns, found 12 ns");
    const Timestamps late{.leading_ns = 10, .acquired_ns = {11}, .trailing_ns = 11};
    EXPECT_EQ(late.fault(), "trailing timestamp: expected a time after 11 ns, found 11 ns");
}

TEST(EtherboneCycles, SizesAreThoseOfTimestamps) {
    const auto message = [](const char* test, const char* size) {
        return test::error_message(
            [&] { run_point(find_test(test), kArchitecture, "", {{"num_transactions", "1"}, {"call_size", size}}); });
    };
    EXPECT_EQ(message("Timestamps SCU3 PCIe", "12"),
              "parameter call_size: expected a multiple of 8, the bytes of a timestamp, found '12'");
    EXPECT_EQ(message("Spacing SCU3 PCIe", "8"),
              "parameter call_size: expected at least 16, two timestamps, found '8'");
    EXPECT_EQ(message("Latch Unit SCU3 PCIe", "8"),
              "parameter call_size: expected 16, three words that are read and one that is written, found '8'");
    EXPECT_NE(message("Timestamps SCU3 GigE", "8192").find("cycle length overflow"), std::string::npos);
}

}  // namespace

}  // namespace nocbench::etherbone_cycles
