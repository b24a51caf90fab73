// One core writes to many: the tests "One to All Unicast ...", "One to All Multicast ..." and "One to All Multicast
// Linked ...".
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/tensix/rectangle.h"
#include "tests/support/delivery_log.h"
#include "tests/support/finished_point.h"
#include "tests/support/machine.h"
#include "tests/support/primitive_laws.h"
#include "tests/support/thinning.h"

namespace nocbench::one_to_all {

namespace {

using test::combinations;
using test::DeliveryLog;
using test::FinishedPoint;
using test::first_difference;
using test::Parameters;
using test::SweepPoint;
using test::told_about;

const std::string kUnicast = "One to All Unicast 2x2 Packet Sizes without Loopback";
const std::string kMulticast = "One to All Multicast 2x2 Packet Sizes without Loopback";
const std::string kLinked = "One to All Multicast Linked 2x2 Packet Sizes without Loopback";

constexpr LogicalCoordinate kSource{0, 0};

/// Published test.
struct Published {
    int id = 0;
    std::string name;
    std::vector<std::string> headings;
    bool is_multicast = false;
    bool loopback = false;
    int columns = 0;  // 0: the whole compute grid
};

std::vector<Published> published_tests() {
    const std::string all = "One to All Packet Sizes";
    const std::vector<Published> areas{
        {6, "Unicast 2x2", {all, "Unicast", "2x2"}, false, false, 2},
        {7, "Unicast 4x4", {all, "Unicast", "4x4"}, false, false, 5},
        {8, "Unicast 10x10", {all, "Unicast", "10x10"}, false, false, 0},
        {9, "Multicast 2x2", {all, "Multicast Unlinked", "2x2"}, true, false, 2},
        {10, "Multicast 5x5", {all, "Multicast Unlinked", "5x5"}, true, false, 5},
        {11, "Multicast 11x10", {all, "Multicast Unlinked", "11x10"}, true, false, 0},
        {12, "Multicast Linked 2x2", {all, "Multicast Linked", "2x2"}, true, false, 2},
        {13, "Multicast Linked 5x5", {all, "Multicast Linked", "5x5"}, true, false, 5},
        {14, "Multicast Linked 11x10", {all, "Multicast Linked", "11x10"}, true, false, 0},
    };
    std::vector<Published> tests;
    for (const Published& area : areas) {
        for (const bool loopback : {false, true}) {
            tests.push_back(area);
            tests.back().id += loopback ? 100 : 0;
            tests.back().name =
                fmt::format("One to All {} Packet Sizes {} Loopback", area.name, loopback ? "with" : "without");
            tests.back().loopback = loopback;
        }
    }
    return tests;
}

TEST(OneToAllTests, HaveThePublishedNames) {
    for (const Published& published : published_tests()) {
        const TestDefinition& test = find_test(published.name);
        EXPECT_EQ(test.id, published.id);
        EXPECT_EQ(test.primitive, "one_to_all");
        EXPECT_EQ(test.headings, published.headings);
        EXPECT_EQ(test.kernels, std::vector<std::string>{"Sender"});
    }
}

/// A published test on one architecture.
struct Case {
    std::string architecture;
    Published published;
};

void PrintTo(const Case& one, std::ostream* stream) { *stream << one.published.name << " on " << one.architecture; }

class OneToAll : public testing::TestWithParam<Case> {};

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const std::string& architecture : test::architectures_of(ArchitectureKind::tensix_torus)) {
        for (const Published& published : published_tests()) {
            if (test::is_offered(published.name, architecture)) {
                cases.push_back({architecture, published});
            }
        }
    }
    return test::thinned(std::move(cases), 5);
}

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneToAll, testing::ValuesIn(all_cases()), [](const auto& one) {
    std::string name = fmt::format("{}_{}", one.param.architecture, one.param.published.name);
    std::ranges::replace(name, ' ', '_');
    return name;
});

LogicalRectangle square(const Grid& grid, int columns) {
    const bool is_all = columns == 0;
    return {.first = {0, 0},
            .last = {(is_all ? grid.compute_columns() : columns) - 1, (is_all ? grid.compute_rows() : columns) - 1}};
}

/// Returns points with one transaction and small calls, three with calls of several packets, and 16 with calls of one
/// packet.
std::vector<SweepPoint> points_on(const std::string& architecture) {
    return {{architecture, 1, 64}, {architecture, 3, 17024}, {architecture, 16, 1024}};
}

TEST_P(OneToAll, DataArriveAtEveryDestinationAndNowhereElse) {
    const Published& published = GetParam().published;
    for (const SweepPoint& sweep_point : points_on(GetParam().architecture)) {
        const std::uint32_t size = sweep_point.call_size_bytes;
        std::unique_ptr<DeliveryLog> log;
        FinishedPoint point(published.name, sweep_point, {},
                            [&](Device& device) { log = std::make_unique<DeliveryLog>(device); });
        const Grid& grid = point.device().grid();
        const std::uint32_t address = published.loopback ? kL1BufferAddress : kL1BufferAddress + size;
        std::map<DeliveryLog::Route, std::uint64_t> expected;
        for (const LogicalCoordinate core : cores_of(square(grid, published.columns))) {
            if (published.loopback || core != kSource) {
                expected[{grid.physical(kSource), grid.physical(core)}] =
                    std::uint64_t{sweep_point.num_transactions} * size;
                EXPECT_EQ(first_difference(point.device().read_l1(core, address, size), point.sent(kSource)), "");
            }
        }
        EXPECT_EQ(log->bytes(), expected);
        test::expect_sound(published.name, sweep_point, point, {},
                           {.calls_per_transaction = published.is_multicast ? 1 : expected.size()});
    }
}

TEST_P(OneToAll, MoreTransactionsTakeLonger) {
    double shorter = 0;
    for (const std::uint32_t count : {1U, 2U, 4U, 16U}) {
        const FinishedPoint point(GetParam().published.name, {GetParam().architecture, count, 2048});
        EXPECT_GT(point.latency_cycles("Sender"), shorter);
        shorter = point.latency_cycles("Sender");
    }
}

class OneToAllLaws : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(PacketSizes, OneToAllLaws, testing::Values("wormhole_b0", "blackhole"),
                         [](const auto& one) { return one.param; });

/// Returns rows, columns and blocks with the source at a corner, inside, on an edge and outside.
std::vector<Parameters> placements() {
    std::vector<Parameters> all;
    for (const char* const rectangle : {"0,0-7,0", "3,0-3,7", "1,1-4,4", "6,5-7,7", "2,2-3,2"}) {
        for (const char* const source : {"0,0", "3,2", "7,7", "2,2"}) {
            all.push_back({{"rectangle", rectangle}, {"source", source}});
        }
    }
    return all;
}

std::vector<Parameters> placements_with_the_source_inside() {
    return {{{"rectangle", "0,0-7,0"}, {"source", "0,0"}},
            {{"rectangle", "3,0-3,7"}, {"source", "3,2"}},
            {{"rectangle", "1,1-4,4"}, {"source", "2,2"}},
            {{"rectangle", "6,5-7,7"}, {"source", "7,7"}},
            {{"rectangle", "2,2-3,2"}, {"source", "3,2"}}};
}

std::vector<Parameters> each_with(const std::vector<Parameters>& sets, const std::vector<Parameters>& additions) {
    std::vector<Parameters> all;
    for (const Parameters& set : sets) {
        for (Parameters merged : additions) {
            merged.insert(set.begin(), set.end());
            all.push_back(std::move(merged));
        }
    }
    return all;
}

TEST_P(OneToAllLaws, UnicastsFromAndToAnywhereArrive) {
    const std::vector<Parameters> nocs = combinations({{"noc", {"0", "1"}}, {"riscv", {"1"}}, {"vc", {"0", "3"}}});
    test::expect_data_arrive(kUnicast, {GetParam(), 3, 3001}, each_with(placements(), nocs));
    test::expect_data_arrive(
        kUnicast, {GetParam(), 3, 3001},
        each_with(placements_with_the_source_inside(), combinations({{"loopback", {"1"}}, {"noc", {"0", "1"}}})));
}

TEST_P(OneToAllLaws, MulticastsFromAndToAnywhereArrive) {
    const std::vector<Parameters> ways =
        combinations({{"noc", {"0", "1"}}, {"riscv", {"1"}}, {"vc", {"4", "5"}}, {"linked", {"0", "1"}}});
    test::expect_data_arrive(kMulticast, {GetParam(), 3, 3001}, each_with(placements(), ways));
    test::expect_data_arrive(
        kMulticast, {GetParam(), 3, 3001},
        each_with(placements_with_the_source_inside(),
                  combinations({{"loopback", {"1"}}, {"noc", {"0", "1"}}, {"linked", {"0", "1"}}})));
}

/// Returns the Tensix tiles from `first` to `last` along the links of NoC 0, column by column.
std::vector<PhysicalCoordinate> tiles_on_the_way(const Grid& grid, LogicalCoordinate first, LogicalCoordinate last) {
    const PhysicalCoordinate end = grid.physical(last);
    std::vector<PhysicalCoordinate> tiles;
    for (int x = grid.physical(first).x;; x = (x + 1) % grid.columns()) {
        for (int y = grid.physical(first).y;; y = (y + 1) % grid.rows()) {
            if (grid.tile_kind({x, y}) == TileKind::tensix) {
                tiles.push_back({x, y});
            }
            if (y == end.y) {
                break;
            }
        }
        if (x == end.x) {
            return tiles;
        }
    }
}

/// A rectangle over the edge of the compute grid also includes live tiles outside the grid: its last row or column.
TEST_P(OneToAllLaws, MulticastsOverTheEdgeReachTheWrappedRectangle) {
    struct Wrapped {
        const char* rectangle;
        LogicalCoordinate first;
        LogicalCoordinate last;
    };
    for (const Wrapped& wrapped :
         {Wrapped{"6,6-1,1", {6, 6}, {1, 1}}, Wrapped{"5,2-0,4", {5, 2}, {0, 4}}, Wrapped{"2,5-4,0", {2, 5}, {4, 0}}}) {
        for (const Parameters& way : combinations({{"noc", {"0", "1"}}, {"linked", {"0", "1"}}})) {
            SCOPED_TRACE(wrapped.rectangle);
            Parameters parameters = way;
            parameters.insert({{"rectangle", wrapped.rectangle}, {"wrap", "1"}, {"source", "3,3"}});
            std::unique_ptr<DeliveryLog> log;
            FinishedPoint point(kMulticast, {GetParam(), 2, 640}, parameters,
                                [&](Device& device) { log = std::make_unique<DeliveryLog>(device); });
            EXPECT_EQ(point.data_faults(), "");
            const Grid& grid = point.device().grid();
            std::map<DeliveryLog::Route, std::uint64_t> expected;
            for (const PhysicalCoordinate tile : tiles_on_the_way(grid, wrapped.first, wrapped.last)) {
                expected[{grid.physical(LogicalCoordinate{3, 3}), tile}] = 1280;
            }
            EXPECT_EQ(log->bytes(), expected);
        }
    }
}

TEST_P(OneToAllLaws, CallsOfAnySizeWork) {
    test::expect_calls_of_any_size_work(kUnicast, GetParam(),
                                        combinations({{"loopback", {"0", "1"}}, {"stateful", {"0", "1"}}}));
    test::expect_calls_of_any_size_work(kMulticast, GetParam(),
                                        combinations({{"loopback", {"0", "1"}}, {"linked", {"0", "1"}}}));
}

TEST_P(OneToAllLaws, StatefulUnicastsAreIssuedFaster) {
    test::expect_stateful_calls_are_issued_faster(kUnicast, GetParam());
}

TEST_P(OneToAllLaws, TheDataCheckNoticesAWrongByteInAnyPacketOfAUnicast) {
    for (const Parameters& parameters : combinations({{"loopback", {"0", "1"}}, {"stateful", {"0", "1"}}})) {
        test::expect_tampering_is_noticed(kUnicast, {GetParam(), 4, 20000}, parameters);
        test::expect_tampering_is_noticed(kUnicast, {GetParam(), 4, 64}, parameters);
    }
}

TEST_P(OneToAllLaws, TheDataCheckNoticesAWrongByteInAnyPacketOfAMulticast) {
    for (const Parameters& parameters : combinations({{"loopback", {"0", "1"}}, {"linked", {"0", "1"}}})) {
        test::expect_tampering_is_noticed(kMulticast, {GetParam(), 4, 20000}, parameters);
        test::expect_tampering_is_noticed(kMulticast, {GetParam(), 4, 64}, parameters);
    }
}

TEST_P(OneToAllLaws, TheDataCheckNoticesAWrongSource) {
    test::expect_a_wrong_source_is_noticed(kUnicast, GetParam(), kSource, kL1BufferAddress, 1);
    test::expect_a_wrong_source_is_noticed(kMulticast, GetParam(), kSource, kL1BufferAddress, 1);
}

TEST_P(OneToAllLaws, TheDataCheckNoticesAChangeAtADestination) {
    test::expect_a_change_at_the_destination_is_noticed(kUnicast, GetParam(), {1, 0}, true, 1);
    test::expect_a_change_at_the_destination_is_noticed(kMulticast, GetParam(), {0, 1}, true, 1);
}

/// Destinations are ordered by column; the column of an excluded source comes last.
TEST_P(OneToAllLaws, UnicastsGoToTheirDestinationsInThePublishedOrder) {
    struct Order {
        Parameters parameters;
        LogicalCoordinate source;
        std::vector<LogicalCoordinate> destinations;
    };
    const std::vector<Order> orders{
        {{}, {0, 0}, {{1, 0}, {1, 1}, {0, 1}}},
        {{{"loopback", "1"}}, {0, 0}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
        {{{"grid", "3x2"}, {"source", "1,1"}}, {1, 1}, {{0, 0}, {0, 1}, {2, 0}, {2, 1}, {1, 0}}},
        {{{"grid", "3x2"}, {"source", "1,1"}, {"loopback", "1"}},
         {1, 1},
         {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}},
        {{{"rectangle", "2,1-4,2"}, {"source", "3,5"}}, {3, 5}, {{2, 1}, {2, 2}, {4, 1}, {4, 2}, {3, 1}, {3, 2}}}};
    for (const Order& order : orders) {
        std::unique_ptr<DeliveryLog> log;
        FinishedPoint point(kUnicast, {GetParam(), 2, 64}, order.parameters,
                            [&](Device& device) { log = std::make_unique<DeliveryLog>(device); });
        const Grid& grid = point.device().grid();
        std::vector<PhysicalCoordinate> expected;
        expected.reserve(order.destinations.size());
        for (const LogicalCoordinate destination : order.destinations) {
            expected.push_back(grid.physical(destination));
        }
        EXPECT_EQ(log->partners_in_order(grid.physical(order.source)), expected);
    }
}

/// Points with the same cores take the same time, whether `grid`, `rectangle` or the test itself names these cores.
TEST_P(OneToAllLaws, AGridIsARectangleFromTheFirstCoreOn) {
    for (const std::string& test : {kUnicast, kMulticast}) {
        const SweepPoint sweep_point{GetParam(), 4, 2048};
        const double by_grid = FinishedPoint(test, sweep_point, {{"grid", "4x3"}}).latency_cycles("Sender");
        for (const char* const rectangle : {"0,0-3,2", "(0,0)-(3,2)"}) {
            EXPECT_EQ(FinishedPoint(test, sweep_point, {{"rectangle", rectangle}}).latency_cycles("Sender"), by_grid);
        }
        EXPECT_EQ(
            FinishedPoint(test, sweep_point, {{"grid", "2x7"}, {"rectangle", "0,0-3,2"}}).latency_cycles("Sender"),
            by_grid);
        const std::string whole = test == kUnicast ? "One to All Unicast 10x10 Packet Sizes without Loopback"
                                                   : "One to All Multicast 11x10 Packet Sizes without Loopback";
        for (const char* const all : {"all", ""}) {
            EXPECT_EQ(FinishedPoint(test, sweep_point, {{"grid", all}}).latency_cycles("Sender"),
                      FinishedPoint(whole, sweep_point).latency_cycles("Sender"));
        }
    }
}

TEST_P(OneToAllLaws, LinkedAndUnlinkedDifferOnlyInTheParameter) {
    const SweepPoint sweep_point{GetParam(), 8, 1024};
    const double linked = FinishedPoint(kLinked, sweep_point).latency_cycles("Sender");
    const double unlinked = FinishedPoint(kMulticast, sweep_point).latency_cycles("Sender");
    EXPECT_LT(linked, unlinked);
    EXPECT_EQ(FinishedPoint(kMulticast, sweep_point, {{"linked", "1"}}).latency_cycles("Sender"), linked);
    EXPECT_EQ(FinishedPoint(kLinked, sweep_point, {{"linked", "0"}}).latency_cycles("Sender"), unlinked);
    // A single linked multicast ends its own chain, and takes as long as an unlinked one.
    EXPECT_EQ(FinishedPoint(kLinked, {GetParam(), 1, 1024}).latency_cycles("Sender"),
              FinishedPoint(kMulticast, {GetParam(), 1, 1024}).latency_cycles("Sender"));
}

TEST_P(OneToAllLaws, AllCoresOfARowOrAColumnMulticastToIt) {
    for (const char* const name : {"Multicast Row Packet Sizes", "Multicast Column Packet Sizes"}) {
        for (const char* const loopback : {"0", "1"}) {
            for (const char* const linked : {"0", "1"}) {
                FinishedPoint point(name, {GetParam(), 4, 1024}, {{"loopback", loopback}, {"linked", linked}});
                EXPECT_EQ(point.data_faults(), "");
                const Grid& grid = point.device().grid();
                const bool is_row = std::string_view(name).find("Row") != std::string_view::npos;
                EXPECT_EQ(point.timed_zones("Sender").size(),
                          static_cast<std::size_t>(is_row ? grid.compute_columns() : grid.compute_rows()));
            }
        }
    }
}

/// Each tree contends with all other trees: every core is slower than alone, and the last one much slower.
TEST_P(OneToAllLaws, CoresOfARowAreInEachOthersWay) {
    const SweepPoint sweep_point{GetParam(), 16, 1024};
    FinishedPoint together("Multicast Row Packet Sizes", sweep_point, {{"loopback", "0"}});
    const int last = together.device().grid().compute_columns() - 1;
    const FinishedPoint alone(kMulticast, sweep_point, {{"rectangle", fmt::format("0,0-{},0", last)}});
    double longest = 0;
    for (const Zone& zone : together.timed_zones("Sender")) {
        const double latency = cycles_from_ticks(zone.end - zone.start);
        EXPECT_GT(latency, alone.latency_cycles("Sender"));
        longest = std::max(longest, latency);
    }
    EXPECT_GT(longest, 2 * alone.latency_cycles("Sender"));
}

TEST(OneToAllParameters, AreCheckedAndNamed) {
    for (const std::string& test : {kUnicast, kMulticast}) {
        EXPECT_EQ(told_about(test, {{"grid", "9x2"}}),
                  "parameter grid: expected at most 8x8, the compute grid of board n150, found '9x2'");
        EXPECT_EQ(told_about(test, {{"grid", "11x11"}}, {"blackhole", 1, 64}),
                  "parameter grid: expected at most 11x10, the compute grid of board p100, found '11x11'");
        for (const char* const grid : {"2", "2x", "x2", "0x2", "2x-1", "2x2x2", "2,2", "two", "99999999999x1"}) {
            EXPECT_EQ(told_about(test, {{"grid", grid}}),
                      fmt::format("parameter grid: expected columns and rows, such as 2x2, or all, found '{}'", grid));
        }
        for (const char* const rectangle : {"0,0", "0,0-4", "0,0:4,4", "0,0-4,4-5,5", "-1,0-4,4", "a,b-c,d"}) {
            EXPECT_EQ(told_about(test, {{"rectangle", rectangle}}),
                      fmt::format("parameter rectangle: expected the first and the last core of a rectangle, such as "
                                  "0,0-4,4, found '{}'",
                                  rectangle));
        }
        EXPECT_EQ(told_about(test, {{"rectangle", "5,5-8,7"}}),
                  "parameter rectangle: core (8, 7): expected a logical coordinate inside the compute grid of board "
                  "n150 (x from 0 to 7, y from 0 to 7), found one outside it");
        EXPECT_EQ(told_about(test, {{"source", "0,9"}}),
                  "parameter source: core (0, 9): expected a logical coordinate inside the compute grid of board n150 "
                  "(x from 0 to 7, y from 0 to 7), found one outside it");
        EXPECT_EQ(told_about(test, {{"rectangle", "1,1-4,4"}, {"loopback", "1"}}),
                  "parameter loopback: expected the source (0, 0) within the rectangle 1,1-4,4, found it outside");
        EXPECT_EQ(told_about(test, {{"loopback", "yes"}}),
                  "parameter loopback: expected a whole number from 0 to 1, found 'yes'");
        EXPECT_EQ(told_about(test, {}, {"wormhole_b0", 1, 0x98000}),
                  "parameter call_size: 622592 bytes at 0xd8000 do not fit into L1, which ends at 0x16e000");
        EXPECT_EQ(told_about(test, {{"loopback", "1"}}, {"wormhole_b0", 1, 0x98000}), "no error");
        EXPECT_TRUE(
            told_about(test, {{"start", "together"}}).starts_with("parameter start: this test has no such parameter"));
    }
}

TEST(OneToAllParameters, OfUnicastsAreCheckedAndNamed) {
    EXPECT_EQ(told_about(kUnicast, {{"stateful", "2"}}),
              "parameter stateful: expected a whole number from 0 to 1, found '2'");
    EXPECT_EQ(told_about(kUnicast, {{"rectangle", "4,4-1,1"}}),
              "parameter rectangle: expected a first corner that is not beyond the last one, found '4,4-1,1'");
    EXPECT_EQ(
        told_about(kUnicast, {{"grid", "1x1"}}),
        "parameter grid or rectangle: expected a core besides the source (0, 0), found none; with loopback=1, the "
        "source takes part");
    EXPECT_EQ(told_about(kUnicast, {{"grid", "1x1"}, {"loopback", "1"}}), "no error");
    EXPECT_EQ(told_about(kUnicast, {{"vc", "4"}}), "parameter vc: expected a whole number from 0 to 3, found '4'");
    EXPECT_TRUE(told_about(kUnicast, {{"wrap", "1"}}).starts_with("parameter wrap: this test has no such parameter"));
    EXPECT_TRUE(
        told_about(kUnicast, {{"linked", "1"}}).starts_with("parameter linked: this test has no such parameter"));
}

TEST(OneToAllParameters, OfMulticastsAreCheckedAndNamed) {
    EXPECT_TRUE(
        told_about(kMulticast, {{"stateful", "1"}}).starts_with("parameter stateful: this test has no such parameter"));
    for (const char* const rectangle : {"4,4-1,1", "4,1-1,4", "1,4-4,1"}) {
        EXPECT_EQ(
            told_about(kMulticast, {{"rectangle", rectangle}}),
            fmt::format("parameter rectangle: expected a first corner that is not beyond the last one (or wrap=1, if "
                        "it is to run over the edge of the grid), found '{}'",
                        rectangle));
    }
    for (const char* const loopback : {"0", "1"}) {
        EXPECT_EQ(told_about(kMulticast, {{"rectangle", "2,3-2,3"}, {"source", "2,3"}, {"loopback", loopback}}),
                  "parameter grid or rectangle: expected a core besides the source (2, 3), found none; a multicast "
                  "cannot go to its source alone");
    }
    for (const char* const vc : {"3", "6"}) {
        EXPECT_EQ(told_about(kMulticast, {{"vc", vc}}),
                  fmt::format("parameter vc: expected a whole number from 4 to 5, found '{}'", vc));
    }
    EXPECT_EQ(told_about(kMulticast, {{"wrap", "2"}, {"rectangle", "4,4-1,1"}}),
              "parameter wrap: expected a whole number from 0 to 1, found '2'");
    EXPECT_EQ(told_about(kMulticast, {{"linked", "-"}}),
              "parameter linked: expected a whole number from 0 to 1, found '-'");
}

TEST(OneToAllParameters, OfRowsAndColumnsAreCheckedAndNamed) {
    EXPECT_EQ(told_about("Multicast Row Packet Sizes", {{"row", "8"}}),
              "parameter row: expected a whole number from 0 to 7, found '8'");
    EXPECT_EQ(told_about("Multicast Column Packet Sizes", {{"column", "-1"}}),
              "parameter column: expected a whole number from 0 to 7, found '-1'");
}

}  // namespace

}  // namespace nocbench::one_to_all
