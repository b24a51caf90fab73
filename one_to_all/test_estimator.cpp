// Writes to a grid, a row or a column by each mechanism: sweeps and errors, which need no compiled kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "device_model/sim/error.h"
#include "tests/support/finished_point.h"

namespace nocbench::one_to_all {

namespace {

const std::string kGrid = "Noc Estimator - L1 One to All";
const std::string kOneToRow = "Noc Estimator - L1 One to Row";
const std::string kRowToRow = "Noc Estimator - L1 Row to Row";

/// Returns whether a sweep leaves out all points with these values.
bool leaves_out(const Sweep& sweep, const Combination& values) {
    return std::ranges::any_of(sweep.left_out, [&](const Combination& part) {
        return std::ranges::all_of(part, [&](const auto& value) {
            const auto found = values.find(value.first);
            return found != values.end() && found->second == value.second;
        });
    });
}

std::vector<std::string> values_of(const Sweep& sweep, const std::string& name) {
    const auto found = std::ranges::find(sweep.parameters, name, &SweptParameter::name);
    return found == sweep.parameters.end() ? std::vector<std::string>{} : found->values;
}

TEST(OneToAllEstimator, SweepsTheSquaresWithinTheGridAndTheWholeGrid) {
    EXPECT_EQ(values_of(find_test(kGrid).sweep_on("wormhole_b0", Tier::full), "grid"),
              (std::vector<std::string>{"2x2", "3x3", "5x5", "all"}));  // the whole grid is 8x8
    EXPECT_EQ(values_of(find_test(kGrid).sweep_on("blackhole", Tier::full), "grid"),
              (std::vector<std::string>{"2x2", "3x3", "5x5", "8x8", "all"}));
}

TEST(OneToAllEstimator, LeavesOutWhatDoesNotExist) {
    for (const std::string& name : {kGrid, kOneToRow}) {
        const Sweep sweep = find_test(name).sweep_on("wormhole_b0", Tier::full);
        EXPECT_TRUE(leaves_out(sweep, {{"mechanism", "multicast"}, {"loopback", "0"}, {"stateful", "1"}}));
        EXPECT_TRUE(leaves_out(sweep, {{"mechanism", "unicast"}, {"loopback", "1"}, {"stateful", "0"}}));
        EXPECT_TRUE(leaves_out(sweep, {{"mechanism", "unicast"}, {"stateful", "1"}, {"call_size", "8192"}}));
        EXPECT_FALSE(leaves_out(sweep, {{"mechanism", "unicast"}, {"stateful", "1"}, {"call_size", "4096"}}));
        EXPECT_FALSE(leaves_out(sweep, {{"grid", "5x5"}, {"mechanism", "multicast_linked"}, {"loopback", "0"}}));
    }
    // No core is beside the whole grid.
    const Sweep sweep = find_test(kGrid).sweep_on("blackhole", Tier::full);
    EXPECT_TRUE(leaves_out(sweep, {{"grid", "all"}, {"mechanism", "multicast"}, {"loopback", "0"}}));
    EXPECT_FALSE(leaves_out(sweep, {{"grid", "all"}, {"mechanism", "unicast"}, {"loopback", "0"}}));
    EXPECT_FALSE(leaves_out(sweep, {{"mechanism", "unicast"}, {"stateful", "1"}, {"call_size", "8192"}}));
}

TEST(OneToAllEstimator, ManySendersHaveNoStatefulCalls) {
    EXPECT_TRUE(values_of(find_test(kRowToRow).sweep_on("blackhole", Tier::full), "stateful").empty());
}

TEST(OneToAllEstimator, BadParametersAreNamed) {
    EXPECT_EQ(test::told_about(kGrid, {{"mechanism", "broadcast"}}),
              "parameter mechanism: expected unicast or multicast or multicast_linked, found 'broadcast'");
    EXPECT_EQ(test::told_about(kGrid, {{"mechanism", "multicast"}, {"stateful", "1"}}),
              "parameter stateful: expected 0 with multicasts, which have no stateful calls, found 1");
    EXPECT_EQ(test::told_about(kRowToRow, {{"loopback", "1"}}),
              "parameter loopback: expected 0 with mechanism=unicast, found 1");
    EXPECT_EQ(test::told_about(kGrid, {{"grid", "9x9"}}),
              "parameter grid: expected at most 8x8, the compute grid of board n150_row_5, found '9x9'");
}

}  // namespace

}  // namespace nocbench::one_to_all
