// Times of undisturbed transactions, to the cycle: each follows from constants of the architecture file and the hops
// between two tiles, counted from their coordinates.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "device_model/tenstorrent/arch/constants.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/multicast_geometry.h"
#include "tests/support/watched_machine.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::kBuffer;
using test::moment;
using test::WatchedMachine;

constexpr LogicalCoordinate kSource{1, 4};
const std::vector<LogicalCoordinate> kDestinations{{4, 4}, {1, 5}, {6, 1}, {0, 3}, kSource};

// A RISC that polls in every tick sees a change as soon as a load can.
const Setting kLooksAllTheTime{"risc.barrier_poll_cycles", "0.0001"};

/// Board, NoC, and number of data flits per packet.
class TransactionTimes : public testing::TestWithParam<std::tuple<std::string, int, std::uint32_t>> {
protected:
    /// Transfer from or to core kSource, in a zone that includes the barrier.
    class Transfer {
    public:
        Transfer(const TransactionTimes& test, LogicalCoordinate there, bool reads)
            : machine(test.board, {kLooksAllTheTime}),
              architecture(machine.architecture()),
              noc(static_cast<std::size_t>(test.noc)),
              data_flits(test.data_flits),
              call_ticks(reads ? architecture.risc.read_call_ticks : architecture.risc.write_call_ticks),
              hops(machine.hops(test.noc, kSource, there)),
              hops_back(machine.hops(test.noc, there, kSource)) {
            machine.add_kernel({kSource, 0, test.noc}, [&] {
                const std::uint64_t address = get_noc_addr(machine.x(there), machine.y(there), kBuffer + 0x10000);
                const std::uint32_t size = data_flits * machine.flit_bytes();
                DeviceZoneScopedN("transfer");
                if (reads) {
                    noc_async_read(address, kBuffer, size);
                    noc_async_read_barrier();
                } else {
                    noc_async_write(kBuffer, address, size);
                    noc_async_write_barrier();
                }
            });
            machine.run();
            record = machine.record_of(kSource);
        }

        /// Returns the cycle of acceptance: the command is written at the end of the call, and can be accepted from the
        /// next cycle on.
        [[nodiscard]] Cycle accepted() const {
            const Tick written = zone().start + architecture.risc.zone_ticks + call_ticks;
            return cycle_at_or_after(written) + architecture.niu.command_accept_cycles;
        }
        /// Returns the cycles from header to last data flit, at the rate of the sending tile.
        [[nodiscard]] Cycle stream_cycles() const {
            return cycle_containing(data_flits * architecture.niu.source_ticks_per_data_flit[noc]);
        }
        /// Returns the cycles from the NIU to the router and over `links` links.
        [[nodiscard]] Cycle way_cycles(int links) const {
            return architecture.niu.injection_cycles + links * architecture.router.hop_cycles;
        }
        /// Returns the end of the zone if the counter changes in cycle `changed`.
        [[nodiscard]] Tick end_of_barrier(Cycle changed) const {
            return ticks_from_cycles(changed) + architecture.risc.register_return_ticks +
                   architecture.risc.barrier_exit_ticks;
        }
        [[nodiscard]] Zone zone() const { return machine.result().zone("transfer"); }

        WatchedMachine machine;
        const TorusArchitecture& architecture;
        std::size_t noc;
        std::uint32_t data_flits;
        Tick call_ticks;
        int hops;
        int hops_back;
        TransactionRecord record;
    };

    std::string board = std::get<0>(GetParam());
    int noc = std::get<1>(GetParam());
    std::uint32_t data_flits = std::get<2>(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Packets, TransactionTimes,
                         testing::Combine(testing::Values("n150", "p150"), testing::Values(0, 1),
                                          testing::Values(1U, 16U, 256U)),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_noc" + std::to_string(std::get<1>(test.param)) + "_" +
                                    std::to_string(std::get<2>(test.param));
                         });

TEST_P(TransactionTimes, OfAWrite) {
    for (const LogicalCoordinate there : kDestinations) {
        SCOPED_TRACE(to_string(there));
        const Transfer transfer(*this, there, false);
        const TransactionRecord& record = transfer.record;
        const L1Constants& l1 = transfer.architecture.l1;
        const NiuConstants& niu = transfer.architecture.niu;
        EXPECT_EQ(record.hops, transfer.hops);
        EXPECT_EQ(record.response_hops, transfer.hops_back);
        EXPECT_EQ(record.accepted, ticks_from_cycles(transfer.accepted()));
        EXPECT_EQ(moment(record, "started"), transfer.accepted());
        const Cycle head = transfer.accepted() + l1.read_latency_cycles + transfer.way_cycles(transfer.hops);
        EXPECT_EQ(moment(record, "request head"), head);
        const Cycle arrived = head + transfer.stream_cycles();
        EXPECT_EQ(moment(record, "request arrived"), arrived);
        const Cycle acknowledged = arrived + niu.ejection_cycles + l1.write_latency_cycles;
        EXPECT_EQ(moment(record, "response started"), acknowledged);
        const Cycle back = acknowledged + transfer.way_cycles(transfer.hops_back);
        EXPECT_EQ(moment(record, "response head"), back);
        EXPECT_EQ(moment(record, "response arrived"), back) << "it is one flit";
        // The counter changes in the cycle after the acknowledgement's arrival.
        EXPECT_EQ(transfer.zone().end, transfer.end_of_barrier(back + niu.ejection_cycles + 1));
    }
}

TEST_P(TransactionTimes, OfARead) {
    for (const LogicalCoordinate there : kDestinations) {
        SCOPED_TRACE(to_string(there));
        const Transfer transfer(*this, there, true);
        const TransactionRecord& record = transfer.record;
        const L1Constants& l1 = transfer.architecture.l1;
        const NiuConstants& niu = transfer.architecture.niu;
        EXPECT_EQ(record.hops, transfer.hops);
        EXPECT_EQ(record.response_hops, transfer.hops_back);
        EXPECT_EQ(moment(record, "started"), transfer.accepted());
        const Cycle head = transfer.accepted() + transfer.way_cycles(transfer.hops);
        EXPECT_EQ(moment(record, "request head"), head);
        EXPECT_EQ(moment(record, "request arrived"), head) << "it is one flit";
        const Cycle answered = head + niu.ejection_cycles + niu.read_turnaround_cycles + l1.read_latency_cycles;
        EXPECT_EQ(moment(record, "response started"), answered);
        const Cycle back = answered + transfer.way_cycles(transfer.hops_back);
        EXPECT_EQ(moment(record, "response head"), back);
        const Cycle arrived = back + transfer.stream_cycles();
        EXPECT_EQ(moment(record, "response arrived"), arrived);
        // The counter changes when the data are in memory.
        EXPECT_EQ(transfer.zone().end,
                  transfer.end_of_barrier(arrived + niu.ejection_cycles + l1.write_latency_cycles));
    }
}

/// The data reach memory in the cycle in which the acknowledgement leaves.
TEST_P(TransactionTimes, OfDataThatAreDelivered) {
    WatchedMachine machine(board);
    std::vector<Tick> delivered;
    machine.device().observers().delivered = [&](const Delivery& delivery) { delivered.push_back(delivery.tick); };
    machine.add_kernel({kSource, 0, noc}, [&] {
        const std::uint64_t there = get_noc_addr(machine.x(kDestinations[0]), machine.y(kDestinations[0]), kBuffer);
        noc_async_write(kBuffer, there, data_flits * machine.flit_bytes());
        noc_async_write_barrier();
    });
    machine.run();
    const L1Constants& l1 = machine.architecture().l1;
    EXPECT_EQ(
        delivered,
        (std::vector<Tick>{ticks_from_cycles(moment(machine.record_of(kSource), "request arrived") +
                                             machine.architecture().niu.ejection_cycles + l1.write_visible_cycles)}));
    EXPECT_LT(l1.write_visible_cycles, l1.write_latency_cycles) << "the acknowledgement leaves later";
}

/// Increments have a separate response time.
TEST_P(TransactionTimes, OfAnIncrement) {
    WatchedMachine machine(board);
    machine.add_kernel({kSource, 0, noc}, [&] {
        noc_semaphore_inc(get_noc_addr(machine.x(kDestinations[0]), machine.y(kDestinations[0]), kBuffer), 1);
        noc_async_atomic_barrier();
    });
    machine.run();
    const TransactionRecord record = machine.record_of(kSource);
    EXPECT_EQ(moment(record, "response started") - moment(record, "request arrived"),
              machine.architecture().niu.ejection_cycles + machine.architecture().l1.atomic_latency_cycles);
}

/// The reservation travels to the farthest receiver, the answer returns, and then the header leaves.
TEST_P(TransactionTimes, OfAMulticast) {
    for (const LogicalCoordinate last : {LogicalCoordinate{3, 5}, {3, 6}, {4, 6}, {1, 5}}) {
        SCOPED_TRACE(to_string(last));
        const LogicalRectangle rectangle{{1, 4}, last};
        WatchedMachine machine(board);
        const Grid& grid = machine.device().grid();
        const test::MulticastMap map(grid, noc, {"", kSource, rectangle}, false);
        machine.add_kernel({kSource, 0, noc}, [&] {
            noc_async_write_multicast(kBuffer, test::multicast_address(machine, rectangle, kBuffer),
                                      data_flits * machine.flit_bytes(), map.num_receivers());
            noc_async_write_barrier();
        });
        machine.run();
        const TransactionRecord record = machine.record_of(kSource);
        const RouterConstants& router = machine.architecture().router;
        const Cycle depth = map.depth();
        EXPECT_EQ(moment(record, "path reserved") - moment(record, "path requested"),
                  depth * (router.hop_cycles + router.reservation_reply_cycles) + router.reservation_grant_cycles +
                      (depth % 2 == 0 ? router.reservation_even_depth_cycles : 0));
        // The record describes the receiver that is acknowledged last.
        const PhysicalCoordinate from = grid.physical(kSource);
        const PhysicalCoordinate to = machine.device().place_of_node(record.to);
        EXPECT_EQ(record.num_receivers, map.num_receivers());
        EXPECT_EQ(record.response_hops, grid.hops(noc, to, from));
        EXPECT_EQ(moment(record, "request head") - moment(record, "path reserved"), record.hops * router.hop_cycles);
        // Receivers accept multicast data at a separate rate, unless the source is slower.
        const auto index = static_cast<std::size_t>(noc);
        const NiuConstants& niu = machine.architecture().niu;
        const Tick rate = niu.multicast_sink_ticks_per_data_flit[index];
        if (rate > niu.source_ticks_per_data_flit[index]) {
            EXPECT_EQ(moment(record, "request arrived") - moment(record, "request head"),
                      cycle_containing(data_flits * rate));
        }
        // The tree reaches this receiver without a detour.
        EXPECT_EQ(record.hops, grid.hops(noc, from, to));
    }
}

/// Board and NoC.
class CommandTimes : public testing::TestWithParam<std::tuple<std::string, int>> {};

INSTANTIATE_TEST_SUITE_P(All, CommandTimes, testing::Combine(testing::Values("n150", "p150"), testing::Values(0, 1)),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_noc" + std::to_string(std::get<1>(test.param));
                         });

/// A RISC that waits for its command buffer sees the free buffer as soon as a load can, and continues the call.
TEST_P(CommandTimes, OfACommandThatWaitsForItsBuffer) {
    const auto& [board, noc] = GetParam();
    WatchedMachine machine(board);
    machine.add_kernel({kSource, 0, noc}, [&machine] {
        const std::uint64_t there = get_noc_addr(machine.x(kDestinations[0]), machine.y(kDestinations[0]), kBuffer);
        for (int packet = 0; packet < 6; ++packet) {
            noc_async_write(kBuffer, there, machine.packet_bytes());
        }
        noc_async_write_barrier();
    });
    machine.run();
    const std::vector<TransactionRecord> writes = machine.records_of(kSource);
    const RiscConstants& risc = machine.architecture().risc;
    ASSERT_EQ(writes.size(), 6U);
    // earlier packets include the cost of the first repeat
    for (std::size_t packet = 4; packet < writes.size(); ++packet) {
        const Tick resumed = writes[packet - 1].started() + risc.register_return_ticks;
        const Tick written = resumed + risc.write_call_ticks - risc.register_load_ticks;
        EXPECT_EQ(writes[packet].accepted,
                  ticks_from_cycles(cycle_at_or_after(written) + machine.architecture().niu.command_accept_cycles));
    }
}

}  // namespace

}  // namespace nocbench
