#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/noc/topology.h"
#include "device_model/tenstorrent/device.h"
#include "device_model/tenstorrent/grid.h"
#include "kernels/frame/primitive.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/error_message.h"
#include "tests/support/finished_point.h"
#include "tests/support/machine.h"

namespace nocbench {

namespace {

struct ObservedPoint {
    std::string test;
    std::string architecture;
};

void PrintTo(const ObservedPoint& point, std::ostream* stream) {
    *stream << point.test << " on " << point.architecture;
}

/// Returns points that cover each kind of wait: links, DRAM, many responders, consecutive multicasts.
std::vector<ObservedPoint> observed_points() {
    std::vector<ObservedPoint> points;
    for (const std::string& architecture : test::architectures_of(ArchitectureKind::tensix_torus)) {
        for (const char* test :
             {"One to One Packet Sizes", "One from One Packet Sizes", "Loopback Packet Sizes",
              "DRAM Interleaved Packet Sizes", "One from All Packet Sizes",
              "One to All Multicast 2x2 Packet Sizes without Loopback",
              "One to All Multicast Linked 5x5 Packet Sizes with Loopback", "All to All Packet Sizes"}) {
            if (test::is_offered(test, architecture)) {
                points.push_back({test, architecture});
            }
        }
    }
    return points;
}

class Observers : public testing::TestWithParam<ObservedPoint> {
protected:
    static PointResult run(const std::string& num_transactions, const std::string& call_size,
                           const MachineWatcher& before = {}) {
        std::map<std::string, std::string> parameters = {{"num_transactions", num_transactions},
                                                         {"call_size", call_size}};
        if (GetParam().test == "All to All Packet Sizes") {
            parameters["grid"] = "4x4";
        }
        return run_point(find_test(GetParam().test), GetParam().architecture, "", parameters, {}, before);
    }
};

INSTANTIATE_TEST_SUITE_P(All, Observers, testing::ValuesIn(observed_points()));

TEST_P(Observers, SeeAllTimeOfAllKernels) {
    for (const char* call_size : {"64", "8192"}) {
        std::map<std::uint32_t, std::vector<BookedTime>> of_risc;
        const PointResult point = run("6", call_size, [&](Machine& device) {
            device.observers().booked = [&](const BookedTime& stretch) { of_risc[stretch.risc].push_back(stretch); };
        });
        ASSERT_FALSE(point.kernels.empty());
        for (const KernelResult& kernel : point.kernels) {
            const Zone& whole = kernel.zones.front();
            std::vector<BookedTime>& stretches = of_risc[kernel.identity.index];
            std::ranges::stable_sort(stretches, {},
                                     [](const BookedTime& stretch) { return std::pair(stretch.begin, stretch.end); });
            Ledger ledger;
            Tick end = whole.start;
            for (const BookedTime& stretch : stretches) {
                ASSERT_EQ(stretch.begin, end)
                    << kernel.identity.kernel << " of core " << to_string(kernel.identity.core);
                ledger.book(stretch.cause, stretch.end - stretch.begin);
                end = stretch.end;
            }
            EXPECT_EQ(end, whole.end);
            for (std::size_t index = 0; index < kNumCauses; ++index) {
                const auto cause = static_cast<Cause>(index);
                EXPECT_EQ(ledger.ticks(cause), whole.ledger.ticks(cause)) << to_string(cause);
            }
        }
    }
}

TEST_P(Observers, SeeEveryTransactionEndAfterItBegan) {
    std::size_t num_transactions = 0;
    const PointResult point = run("6", "2048", [&](Machine& device) {
        device.observers().finished = [&](const TransactionRecord& transaction) {
            ++num_transactions;
            EXPECT_LE(transaction.accepted, transaction.started());
            EXPECT_EQ(transaction.started(), transaction.moment("started"));
            EXPECT_LT(transaction.started(), transaction.moment("request head"));
            EXPECT_LE(transaction.moment("request head"), transaction.moment("request arrived"));
            if (const Tick reserved = transaction.moment("path reserved"); reserved >= 0) {
                EXPECT_LT(transaction.moment("path requested"), reserved);
                EXPECT_LT(reserved, transaction.moment("request head"));
            }
            if (!transaction.posted) {
                EXPECT_LT(transaction.moment("request arrived"), transaction.moment("response started"));
                EXPECT_LT(transaction.moment("response started"), transaction.moment("response head"));
                EXPECT_LE(transaction.moment("response head"), transaction.moment("response arrived"));
                EXPECT_EQ(transaction.moment("response arrived"), transaction.ended());
            }
        };
    });
    EXPECT_GE(num_transactions, 6 * point.kernels.size());
}

TEST_P(Observers, DoNotChangeWhatTheySee) {
    const PointResult plain = run("6", "2048");
    const PointResult observed = run("6", "2048", [](Machine& device) {
        device.observers().booked = [](const BookedTime&) {};
        device.observers().finished = [](const TransactionRecord&) {};
    });
    EXPECT_EQ(observed.elapsed_cycles, plain.elapsed_cycles);
    EXPECT_EQ(observed.flit_hops, plain.flit_hops);
    ASSERT_EQ(observed.cores.size(), plain.cores.size());
    for (std::size_t index = 0; index < plain.cores.size(); ++index) {
        EXPECT_EQ(observed.cores[index].latency, plain.cores[index].latency);
    }
}

/// Flits that enter a router from its tile or a link must leave it.
TEST(LinkUse, FlitsAreConserved) {
    for (const char* test : {"One to One Packet Sizes", "DRAM Interleaved Packet Sizes", "One from All Packet Sizes"}) {
        const Grid grid = Device(load_architecture(find_architecture("wormhole_b0"))).grid();
        const PointResult point =
            run_point(find_test(test), "wormhole_b0", "", {{"num_transactions", "3"}, {"call_size", "8192"}});
        std::map<std::pair<int, PhysicalCoordinate>, std::int64_t> balance;
        for (const LinkUse& link : point.links) {
            const auto flits = static_cast<std::int64_t>(link.flits);
            balance[{link.noc, link.router}] -= flits;
            if (link.direction != Direction::to_tile) {
                const Topology topology = unidirectional_torus(grid.columns(), grid.rows(), link.noc);
                const bool is_along_x = link.direction == Direction::east || link.direction == Direction::west;
                EXPECT_EQ(link.noc == 0, link.direction == Direction::east || link.direction == Direction::south);
                const int port = is_along_x ? kXPort : kYPort;
                const int neighbour = topology.link(grid.node_index(link.router), port).neighbour;
                balance[{link.noc, grid.place_of_node(neighbour)}] += flits;
            }
        }
        for (const LinkUse& link : point.injections) {
            EXPECT_EQ(link.direction, Direction::from_tile);
            balance[{link.noc, link.router}] += static_cast<std::int64_t>(link.flits);
        }
        ASSERT_FALSE(point.injections.empty()) << test;
        for (const auto& [router, flits] : balance) {
            EXPECT_EQ(flits, 0) << test << ", NoC " << router.first << ", router " << to_string(router.second);
        }
    }
}

TEST(Deliveries, AreCountedWhereTheyArrive) {
    const std::map<std::string, std::string> parameters = {
        {"num_transactions", "5"}, {"call_size", "4096"}, {"source", "0,0"}, {"destination", "2,3"}};
    const Device device(load_architecture(find_architecture("blackhole")));
    const PointResult write = run_point(find_test("One to One Packet Sizes"), "blackhole", "", parameters);
    ASSERT_EQ(write.deliveries.size(), 1U);
    EXPECT_EQ(write.deliveries[0].tile, device.grid().physical(LogicalCoordinate{.x = 2, .y = 3}));
    EXPECT_EQ(write.deliveries[0].bytes, 5U * 4096U);
    const PointResult read = run_point(find_test("One from One Packet Sizes"), "blackhole", "", parameters);
    ASSERT_EQ(read.deliveries.size(), 1U);
    EXPECT_EQ(read.deliveries[0].tile, device.grid().physical(LogicalCoordinate{.x = 0, .y = 0}));
    EXPECT_EQ(read.deliveries[0].bytes, 5U * 4096U);
}

/// Flits by kind of packet follow from the packets' ends, those of links are counted where they pass.
TEST_P(Observers, KindsOfPacketsAddUpToTheFlitsOfEachLink) {
    using Place = std::tuple<int, int, int, Direction>;  // NoC, column, row
    const PointResult point = run("6", "8192", [](Machine& device) { device.count_packets(); });
    std::map<Place, std::uint64_t> of_links;
    std::map<Place, std::uint64_t> of_kinds;
    const auto add = [](std::map<Place, std::uint64_t>& sums, const LinkUse& link) {
        sums[{link.noc, link.router.x, link.router.y, link.direction}] += link.flits;
    };
    for (const std::vector<LinkUse>* use : {&point.links, &point.injections}) {
        for (const LinkUse& link : *use) {
            add(of_links, link);
        }
    }
    std::set<std::string> kinds;
    for (const PacketUse& use : point.packets) {
        add(of_kinds, use.link);
        kinds.insert(use.kind);
    }
    EXPECT_EQ(of_kinds, of_links);
    EXPECT_FALSE(kinds.contains("failed reservation"));  // these multicasts do not meet
    const bool is_multicast = GetParam().test.find("Multicast") != std::string::npos;
    EXPECT_EQ(kinds.contains("multicast write request"), is_multicast);
    EXPECT_TRUE(kinds.contains("acknowledgement of a write") || kinds.contains("read response"));

    const PointResult uncounted = run("6", "8192");
    EXPECT_TRUE(uncounted.packets.empty());
    EXPECT_EQ(uncounted.elapsed_cycles, point.elapsed_cycles);
}

TEST(ObserversTest, FailedReservationsOfMulticastsThatMeetAreAKindOfTheirOwn) {
    const PointResult point = run_point(find_test("Multicast Row Packet Sizes"), "wormhole_b0", "",
                                        {{"num_transactions", "6"}, {"call_size", "8192"}}, {},
                                        [](Machine& device) { device.count_packets(); });
    std::uint64_t failed = 0;
    std::uint64_t sent = 0;
    for (const PacketUse& use : point.packets) {
        (use.kind == "failed reservation" ? failed : sent) += use.link.flits;
        EXPECT_LE(use.link.flits, static_cast<std::uint64_t>(point.elapsed_cycles)) << use.kind;
    }
    EXPECT_GT(failed, 0U);
    EXPECT_LT(100 * failed, sent);
}

TEST_P(Observers, BanksOfDramAddUpToTheirSubchannels) {
    const PointResult point = run("6", "8192");
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::map<std::pair<std::string, int>, MemoryUse> of_banks;
    for (const MemoryUse& use : point.memories) {
        if (use.bank) {
            MemoryUse& sum = of_banks[{use.memory, use.subchannel}];
            sum.bytes_read += use.bytes_read;
            sum.bytes_written += use.bytes_written;
            sum.busy = std::max(sum.busy, use.busy);
            continue;
        }
        bytes_read += use.bytes_read;
        bytes_written += use.bytes_written;
        EXPECT_GT(use.busy, 0);
        EXPECT_LE(use.busy, ticks_from_cycles(point.elapsed_cycles));
    }
    for (const MemoryUse& use : point.memories) {
        if (!use.bank) {
            const MemoryUse& sum = of_banks.at({use.memory, use.subchannel});
            EXPECT_EQ(sum.bytes_read, use.bytes_read);
            EXPECT_EQ(sum.bytes_written, use.bytes_written);
            EXPECT_LE(sum.busy, ticks_from_cycles(point.elapsed_cycles));
        }
    }
    const std::uint64_t moved = GetParam().test == "DRAM Interleaved Packet Sizes" ? 6 * 8192 : 0;
    EXPECT_EQ(bytes_read, moved);
    EXPECT_EQ(bytes_written, moved);
}

TEST(ObserversTest, SeeWhetherARunEndsOrFails) {
    for (const bool fails : {false, true}) {
        test::Machine machine("n150");
        machine.add_kernel({{0, 0}}, [fails] { dataflow::store_l1_word(test::kBuffer + (fails ? 2 : 0), 1); });
        std::vector<std::string> seen;
        machine.device().observers().ended = [&seen](const Machine& /*machine*/) { seen.emplace_back("ended"); };
        machine.device().observers().failed = [&seen](const Machine& /*machine*/) { seen.emplace_back("failed"); };
        EXPECT_EQ(test::error_message([&] { machine.run(); }) != "no error", fails);
        EXPECT_EQ(seen, std::vector<std::string>{fails ? "failed" : "ended"});
    }
}

}  // namespace

}  // namespace nocbench
