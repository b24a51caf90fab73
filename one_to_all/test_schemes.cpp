// Multicasts from ten positions in and around a square, and multicasts that wait for their receivers.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/finished_point.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::one_to_all {

namespace {

using test::Parameters;
using test::SweepPoint;

const std::string kInside = "Multicast Schemes with Loopback";
const std::string kAll = "Multicast Schemes without Loopback";

class MulticastSchemes : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, MulticastSchemes, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& one) { return one.param; });

/// Returns the tiles that received a point's packets.
std::set<NodeIndex> receivers_of(const std::string& test, const SweepPoint& sweep_point, const Parameters& parameters) {
    std::set<NodeIndex> receivers;
    const test::FinishedPoint point(test, sweep_point, parameters, [&](Device& device) {
        device.observers().tamper = [&](const Delivery& delivery, std::span<std::byte>) {
            receivers.insert(delivery.destination);
        };
    });
    EXPECT_EQ(point.data_faults(), "");
    return receivers;
}

TEST_P(MulticastSchemes, ReachTheSquareFromEverywhere) {
    for (const std::string noc : {"0", "1"}) {
        for (int scheme = 1; scheme <= 10; ++scheme) {
            SCOPED_TRACE("scheme " + std::to_string(scheme) + " on NoC " + noc);
            const Parameters parameters{{"noc", noc}, {"scheme", std::to_string(scheme)}, {"side", "3"}};
            const bool is_inside = scheme <= 4;
            EXPECT_EQ(receivers_of(kAll, {GetParam(), 2, 192}, parameters).size(), is_inside ? 8U : 9U);
            if (is_inside) {
                EXPECT_EQ(receivers_of(kInside, {GetParam(), 2, 192}, parameters).size(), 9U);
            }
        }
    }
}

TEST_P(MulticastSchemes, TheLargestSquareLeavesARowAndAColumn) {
    const Sweep sweep = find_test(kAll).sweep_on(GetParam(), Tier::full);
    const std::string side = sweep.parameters.back().values.back();
    EXPECT_EQ(receivers_of(kAll, {GetParam(), 1, 64}, {{"scheme", "8"}, {"side", side}}).size(),
              static_cast<std::size_t>(std::stoi(side) * std::stoi(side)));
}

TEST(MulticastSchemesNumbers, AreThoseOfUpstream) {
    std::vector<LogicalCoordinate> senders;
    for (int scheme = 1; scheme <= 10; ++scheme) {
        NodeIndex sender = 0;
        const Parameters parameters{{"scheme", std::to_string(scheme)}, {"side", "3"}};
        test::FinishedPoint point(kAll, {"wormhole_b0", 1, 64}, parameters, [&](Device& device) {
            device.observers().tamper = [&](const Delivery& delivery, std::span<std::byte>) {
                sender = delivery.source;
            };
        });
        const Grid& grid = point.device().grid();
        senders.push_back(grid.logical(grid.place_of_node(sender)).value_or(LogicalCoordinate{-1, -1}));
    }
    const std::vector<LogicalCoordinate> expected{{2, 2}, {2, 0}, {0, 0}, {0, 2}, {4, 6},
                                                  {6, 4}, {4, 4}, {3, 1}, {1, 3}, {3, 3}};
    EXPECT_EQ(senders, expected);
}

TEST(MulticastSchemesData, AWrongByteIsNoticed) {
    test::expect_tampering_is_noticed(kAll, {"blackhole", 3, 128}, {{"scheme", "9"}, {"side", "3"}});
}

TEST(MulticastSchemesParameters, AreCheckedAndNamed) {
    EXPECT_EQ(test::told_about(kInside, {{"scheme", "5"}}),
              "parameter scheme: expected 1 to 4, whose sender is within its square, with loopback=1; found 5");
    EXPECT_EQ(test::told_about(kAll, {{"scheme", "11"}}),
              "parameter scheme: expected a whole number from 1 to 10, found '11'");
    EXPECT_EQ(test::told_about(kAll, {{"side", "8"}}),
              "parameter side: expected a whole number from 2 to 7, found '8'");
}

TEST(LinkedSemaphore, BadParametersAreNamed) {
    const std::string with_loopback = "One to All Multicast Linked Semaphore 2x2 Packet Sizes with Loopback";
    EXPECT_EQ(test::told_about(with_loopback, {{"source", "5,5"}}),
              "parameter loopback: expected the source (5, 5) within the rectangle 0,0-1,1, found it outside");
    EXPECT_EQ(test::told_about(with_loopback, {}, {"wormhole_b0", 1, 1U << 20U}),
              "parameter call_size: 1048576 bytes at 0x140000 do not fit into L1, which ends at 0x16e000");
}

TEST(LinkedSemaphore, CallsAreUpToEightTimesAsLongAsElsewhere) {
    EXPECT_EQ(find_test("One to All Multicast Linked Semaphore Directed Ideal")
                  .sweep_on("wormhole_b0", Tier::full)
                  .call_size_bytes,
              std::vector<std::int64_t>{512 * 1024});
}

}  // namespace

}  // namespace nocbench::one_to_all
