#include "tests/support/all_with_all_laws.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "device_model/sim/simulated_time.h"
#include "kernels/tensix/rectangle.h"
#include "tests/support/delivery_log.h"
#include "tests/support/primitive_laws.h"

namespace nocbench::test {

namespace {

LogicalRectangle compute_grid(const Grid& grid) {
    return {.first = {0, 0}, .last = {grid.compute_columns() - 1, grid.compute_rows() - 1}};
}

}  // namespace

void expect_data_arrive_everywhere(const AllWithAll& primitive, const SweepPoint& sweep_point) {
    std::unique_ptr<DeliveryLog> log;
    FinishedPoint point(primitive.test, sweep_point, {},
                        [&](Device& device) { log = std::make_unique<DeliveryLog>(device); });
    const Grid& grid = point.device().grid();
    const std::vector<LogicalCoordinate> cores = cores_of(compute_grid(grid));
    std::map<DeliveryLog::Route, std::uint64_t> expected;
    for (const LogicalCoordinate from : cores) {
        for (const LogicalCoordinate to : cores) {
            expected[{grid.physical(from), grid.physical(to)}] =
                std::uint64_t{sweep_point.num_transactions} * sweep_point.call_size_bytes;
        }
    }
    EXPECT_EQ(log->bytes(), expected);
    expect_sound(primitive.test, sweep_point, point, {},
                 {.num_cores = cores.size(), .calls_per_transaction = cores.size()});
}

void expect_the_same_order_for_all(const AllWithAll& primitive, const std::string& architecture) {
    std::unique_ptr<DeliveryLog> log;
    FinishedPoint point(primitive.test, {architecture, 2, 64}, {{"grid", "4x3"}},
                        [&](Device& device) { log = std::make_unique<DeliveryLog>(device); });
    const Grid& grid = point.device().grid();
    std::vector<PhysicalCoordinate> order;
    for (const LogicalCoordinate core : cores_of({.first = {0, 0}, .last = {3, 2}})) {
        order.push_back(grid.physical(core));
    }
    for (const PhysicalCoordinate core : order) {
        EXPECT_EQ(log->partners_in_order(core), order);
    }
}

void expect_starts_as_told(const AllWithAll& primitive, const std::string& architecture) {
    const SweepPoint sweep_point{architecture, 1, 64};
    const auto starts = [&](const Parameters& parameters) {
        const FinishedPoint point(primitive.test, sweep_point, parameters);
        std::vector<Tick> ticks;
        for (const Zone& zone : point.timed_zones(primitive.label)) {
            ticks.push_back(zone.start);
        }
        return ticks;
    };
    FinishedPoint default_point(primitive.test, sweep_point, {{"grid", "3x3"}});
    const Tick skew = ticks_from_cycles(default_point.device().board().launch_skew_cycles);
    ASSERT_GT(skew, 0);
    const std::vector<Tick> together = starts({{"grid", "3x3"}, {"start", "together"}});
    const std::vector<Tick> skewed = starts({{"grid", "3x3"}, {"start", "skewed"}});
    EXPECT_EQ(starts({{"grid", "3x3"}}), skewed);
    for (std::size_t core = 0; core < together.size(); ++core) {
        EXPECT_EQ(together[core], together[0]);
        EXPECT_EQ(skewed[core], skewed[0] + static_cast<Tick>(core) * skew);
    }
    const auto latency = [&](const char* start, const std::vector<Setting>& settings) {
        return run_point(find_test(primitive.test), architecture, "",
                         with_axes(sweep_point, {{"grid", "3x3"}, {"start", start}}), settings)
            .rows.at(0)
            .latency_cycles;
    };
    EXPECT_EQ(latency("skewed", {{"board.launch_skew_cycles", "0"}}), latency("together", {}));

    // Behind a barrier, a core begins at the latest after the poll that was on its way when the last core arrived, and
    // one more. The meeting core answers one poll after the other.
    const std::vector<Tick> met = starts({{"grid", "all"}, {"start", "barrier"}});
    const auto [first, last] = std::ranges::minmax(met);
    const auto& niu = default_point.device().architecture().niu;
    const Tick interval = ticks_from_cycles(niu.ejection_cycles + niu.read_request_hold_cycles + 1);
    const Tick queue = static_cast<Tick>(met.size()) * interval;
    const auto round_trip = static_cast<Tick>(
        FinishedPoint("One from One Packet Sizes", sweep_point).latency_cycles("Receiver") * kTicksPerCycle);
    EXPECT_GT(first, together.front());
    EXPECT_GT(last - first, queue / 2);
    EXPECT_LE(last - first, queue + 2 * round_trip);
}

void expect_settings_work(const AllWithAll& primitive, const std::string& architecture) {
    expect_data_arrive(primitive.test, {architecture, 3, 3001},
                       combinations({{"rectangle", {"0,0-3,0", "2,1-2,4", "3,3-5,4"}},
                                     {"noc", {"0", "1"}},
                                     {"riscv", {"0", "1"}},
                                     {"vc", {"0", "2"}},
                                     {"loopback", {"0", "1"}},
                                     {"start", {"barrier", "together", "skewed"}}}));
    expect_calls_of_any_size_work(primitive.test, architecture,
                                  combinations({{"grid", {"2x2"}}, {"stateful", {"0", "1"}}}));
    expect_tampering_is_noticed(primitive.test, {architecture, 2, 20000}, {{"grid", "2x2"}, {"start", "together"}});
    expect_tampering_is_noticed(primitive.test, {architecture, 2, 64}, {{"grid", "3x2"}});
    EXPECT_EQ(FinishedPoint(primitive.test, {architecture, 1, 64}, {{"grid", "3x2"}, {"loopback", "0"}})
                  .report(primitive.label)
                  .transaction_size_bytes,
              5 * 64);
}

void expect_grids_meet(const AllWithAll& primitive, const std::string& architecture) {
    constexpr std::uint32_t kBytes = 4096;
    const SweepPoint once{architecture, 1, kBytes};
    const auto check = [&](const std::string& masters, const std::string& subordinates, std::size_t num_masters,
                           std::size_t num_subordinates) {
        SCOPED_TRACE(masters + " and " + subordinates);
        std::map<NodeIndex, std::uint64_t> bytes_to;
        const FinishedPoint point(primitive.test, once, {{"master_grid", masters}, {"subordinate_grid", subordinates}},
                                  [&](Device& device) {
                                      device.observers().tamper = [&](const Delivery& delivery, std::span<std::byte>) {
                                          bytes_to[delivery.destination] += delivery.bytes.size();
                                      };
                                  });
        EXPECT_EQ(point.data_faults(), "");
        EXPECT_EQ(point.timed_zones(primitive.label).size(), num_masters);
        EXPECT_EQ(point.report(primitive.label).transaction_size_bytes, num_subordinates * kBytes);
        std::uint64_t bytes = 0;
        for (const auto& [tile, of_tile] : bytes_to) {
            bytes += of_tile;
        }
        EXPECT_EQ(bytes, num_masters * num_subordinates * kBytes);
        EXPECT_EQ(bytes_to.size(), primitive.label == "Sender" ? num_subordinates : num_masters);
    };
    check("2x2", "1x1", 4, 1);
    check("1x1", "3x2", 1, 6);
    check("2x2", "2x2", 4, 4);
    EXPECT_EQ(told_about(primitive.test, {{"subordinate_grid", "9x9"}}, {"wormhole_b0", 1, kBytes}),
              "parameter subordinate_grid: expected at most 8x8, the compute grid of board n150, found '9x9'");
}

void expect_bad_settings_are_named(const AllWithAll& primitive) {
    EXPECT_EQ(told_about(primitive.test, {{"start", "later"}}),
              "parameter start: expected barrier or together or skewed, found 'later'");
    EXPECT_EQ(told_about(primitive.test, {{"grid", "8x9"}}),
              "parameter grid: expected at most 8x8, the compute grid of board n150, found '8x9'");
    EXPECT_EQ(told_about(primitive.test, {{"rectangle", "3,3-2,2"}}),
              "parameter rectangle: expected a first corner that is not beyond the last one, found '3,3-2,2'");
    EXPECT_EQ(told_about(primitive.test, {{"grid", "1x1"}, {"loopback", "0"}}),
              "parameter grid or rectangle: expected more than one core, found one; with loopback=1, it takes part");
    EXPECT_EQ(told_about(primitive.test, {{"loopback", "2"}}),
              "parameter loopback: expected a whole number from 0 to 1, found '2'");
    EXPECT_TRUE(told_about(primitive.test, {{"source", "0,0"}})
                    .starts_with("parameter source: this test has no such parameter"));
    EXPECT_EQ(told_about(primitive.test, {}, {"wormhole_b0", 1, 0x98000}),
              "parameter call_size: 622592 bytes at 0xd8000 do not fit into L1, which ends at 0x16e000");
}

}  // namespace nocbench::test
