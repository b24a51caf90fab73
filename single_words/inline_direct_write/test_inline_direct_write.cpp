// Inline writes to another core: checks that need no compiled kernel.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/finished_point.h"

namespace nocbench::inline_direct_write {

namespace {

const std::string kTest = "Inline Direct Write Address Pattern";
const test::SweepPoint kWords{"wormhole_b0", 4, 4};

TEST(InlineDirectWrite, SweepsAreThoseOfUpstream) {
    const Sweep patterns = find_test(kTest).sweep_on("wormhole_b0", Tier::full);
    EXPECT_EQ(patterns.num_transactions, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}));
    EXPECT_EQ(patterns.call_size_bytes, std::vector<std::int64_t>{4});
    ASSERT_EQ(patterns.parameters.size(), 2U);
    EXPECT_EQ(patterns.parameters[0].name, "same_destination");
    EXPECT_EQ(patterns.parameters[1].name, "same_value");
    const Sweep forms = find_test("Inline Direct Write Performance Comparison").sweep_on("wormhole_b0", Tier::full);
    ASSERT_EQ(forms.parameters.size(), 2U);
    EXPECT_EQ(forms.parameters[0].name, "stateful");
    EXPECT_EQ(forms.parameters[1].name, "posted");
}

TEST(InlineDirectWrite, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about(kTest, {{"same_value", "2"}}, kWords),
              "parameter same_value: expected a whole number from 0 to 1, found '2'");
    EXPECT_EQ(test::told_about(kTest, {}, {"wormhole_b0", 4, 64}),
              "parameter call_size: expected a word of 4 bytes, found 64 bytes");
    EXPECT_EQ(test::told_about(kTest, {{"same_destination", "0"}}, {"wormhole_b0", 77313, 4}),
              "parameter num_transactions: expected at most 77312 words at different addresses, found 77313");
}

}  // namespace

}  // namespace nocbench::inline_direct_write
