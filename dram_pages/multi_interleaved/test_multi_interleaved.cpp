// Reads and writes of interleaved pages by many cores: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/finished_point.h"

namespace nocbench::multi_interleaved {

namespace {

const std::string kTest = "Multi Interleaved Sizes";

TEST(MultiInterleaved, EachGridHasATestOfEachDirection) {
    std::size_t found = 0;
    for (const char* grid : {"", "2x2 ", "6x6 "}) {
        for (const char* direction : {"", "Read ", "Write "}) {
            for (const char* sweep : {"Directed Ideal", "Sizes"}) {
                const TestDefinition& test = find_test("Multi Interleaved " + std::string(grid) + direction + sweep);
                found += test.primitive == "multi_interleaved" ? 1 : 0;
            }
        }
    }
    EXPECT_EQ(found, 18U);
}

TEST(MultiInterleaved, TheGridSweepNamesItsGrids) {
    const Sweep sweep = find_test("Multi Interleaved Grid Sweep").sweep_on("blackhole", Tier::full);
    ASSERT_EQ(sweep.parameters.size(), 1U);
    EXPECT_EQ(sweep.parameters.front().name, "grid");
    EXPECT_EQ(sweep.parameters.front().values.back(), "all");
}

TEST(MultiInterleaved, PagesInTurnAreAtMostOnePacketOnBothNocs) {
    for (const char* name : {"DRAM Sharded One from One", "DRAM Interleaved All to All"}) {
        const TestDefinition& test = find_test("Noc Estimator - " + std::string(name));
        EXPECT_EQ(test.primitive, "multi_interleaved");
        const Sweep sweep = test.sweep_on("wormhole_b0", Tier::full);
        ASSERT_EQ(sweep.parameters.size(), 1U);
        EXPECT_EQ(sweep.parameters.front().values, (std::vector<std::string>{"0", "1"}));
        EXPECT_EQ(sweep.call_size_bytes.front(), 32);
        EXPECT_EQ(sweep.call_size_bytes.back(), 8192);
        EXPECT_EQ(test.sweep_on("blackhole", Tier::full).call_size_bytes.back(), 16384);
    }
}

TEST(MultiInterleaved, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about(kTest, {{"start", "late"}}),
              "parameter start: expected barrier or together or skewed, found 'late'");
    EXPECT_EQ(test::told_about(kTest, {{"pages", "mine"}}), "parameter pages: expected own or shared, found 'mine'");
    EXPECT_EQ(test::told_about(kTest, {{"grid", "9x9"}}),
              "parameter grid: expected at most 8x8, the compute grid of board n150_row_5, found '9x9'");
}

}  // namespace

}  // namespace nocbench::multi_interleaved
