// Increments of another core's semaphore: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/finished_point.h"

namespace nocbench::atomic_semaphore {

namespace {

const std::string kTest = "Atomic Semaphore Adjacent Bandwidth Sweep";

TEST(AtomicSemaphore, SweepsAreThoseOfUpstream) {
    const Sweep sweep = find_test(kTest).sweep_on("blackhole", Tier::full);
    EXPECT_EQ(sweep.num_transactions, (std::vector<std::int64_t>{16, 32, 64}));
    ASSERT_EQ(sweep.parameters.size(), 2U);
    EXPECT_EQ(sweep.parameters[0].values, (std::vector<std::string>{"0", "1"})) << sweep.parameters[0].name;
    EXPECT_EQ(sweep.parameters[1].values, (std::vector<std::string>{"1", "2", "3", "4"})) << sweep.parameters[1].name;
}

TEST(AtomicSemaphore, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about(kTest, {{"increment", "0"}}, {"wormhole_b0", 16, 4}),
              "parameter increment: expected a whole number from 1 to 1024, found '0'");
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 16, 64}),
              "parameter call_size: expected a word of 4 bytes, found 64 bytes");
}

}  // namespace

}  // namespace nocbench::atomic_semaphore
