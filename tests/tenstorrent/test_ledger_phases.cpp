// Ledger of a few transactions with known times: phase boundaries to the tick, and the cause of each wait with a known
// obstacle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/tensix/dataflow_api.h"
#include "tests/support/multicast_geometry.h"
#include "tests/support/watched_machine.h"

namespace nocbench {

namespace {

/// Interval of a kernel's time.
struct Booked {
    Cause cause = Cause::issue;
    Tick begin = 0;
    Tick end = 0;

    bool operator==(const Booked&) const = default;
};

void PrintTo(const Booked& stretch, std::ostream* stream) {
    *stream << to_string(stretch.cause) << " from " << cycles_from_ticks(stretch.begin) << " to "
            << cycles_from_ticks(stretch.end);
}

using namespace nocbench::dataflow;
using test::kBuffer;
using test::Machine;
using test::moment;
using test::WatchedMachine;
using Stretches = std::vector<Booked>;

constexpr LogicalCoordinate kHere{1, 3};
constexpr LogicalCoordinate kThere{5, 3};

Stretches stretches_of(const WatchedMachine& machine, const std::string& kernel = "kernel") {
    Stretches stretches;
    for (const BookedTime& stretch : machine.booked(kernel)) {
        stretches.push_back({stretch.cause, stretch.begin, stretch.end});
    }
    return stretches;
}

std::uint64_t address_on(const Machine& machine, LogicalCoordinate core) {
    return get_noc_addr(machine.x(core), machine.y(core), kBuffer);
}

/// Waits until packets that a core began simultaneously are in flight everywhere.
void wait_a_while() {
    for (int load = 0; load < 20; ++load) {
        static_cast<void>(load_l1_word(kBuffer));
    }
}

class LedgerPhases : public testing::TestWithParam<std::string> {
protected:
    WatchedMachine machine{GetParam(), {{"risc.launch_lag_cycles", "0"}}};
    const NiuConstants& niu = machine.architecture().niu;
    const L1Constants& l1 = machine.architecture().l1;
    const RouterConstants& router = machine.architecture().router;
    const RiscConstants& risc = machine.architecture().risc;

    /// Returns the cycle in which the head of a write would arrive without contention.
    [[nodiscard]] Cycle unhindered_head(const TransactionRecord& record, LogicalCoordinate from,
                                        LogicalCoordinate to) const {
        return cycle_containing(record.started()) + l1.read_latency_cycles + niu.injection_cycles +
               machine.hops(0, from, to) * router.hop_cycles;
    }
    [[nodiscard]] Tick ticks(Cause cause, const std::string& kernel = "kernel") const {
        return machine.result(kernel).zones.front().ledger.ticks(cause);
    }
    /// Returns the end of a barrier's last poll, before the RISC leaves it.
    [[nodiscard]] Tick end_of_wait(const std::string& kernel = "kernel") const {
        return machine.result(kernel).zones.front().end - risc.barrier_exit_ticks;
    }
    /// Adds a kernel on core `from` that writes or reads `packets` packets of maximum size, and waits for all.
    void add_stream(const std::string& name, LogicalCoordinate from, LogicalCoordinate to, int packets,
                    std::uint8_t channel, bool reads = false) {
        machine.add_kernel(
            {from, reads ? 1 : 0, 0},
            [this, to, packets, channel, reads] {
                for (int packet = 0; packet < packets; ++packet) {
                    if (reads) {
                        noc_async_read(address_on(machine, to), kBuffer, machine.packet_bytes(), kNocOfKernel, channel);
                    } else {
                        noc_async_write(kBuffer, address_on(machine, to), machine.packet_bytes(), kNocOfKernel,
                                        channel);
                    }
                }
                reads ? noc_async_read_barrier() : noc_async_write_barrier();
            },
            name);
    }
};

INSTANTIATE_TEST_SUITE_P(All, LedgerPhases, testing::Values("n150", "p150"),
                         [](const auto& test) { return test.param; });

TEST_P(LedgerPhases, OfAnUncontendedWrite) {
    machine.run_kernel([&] {
        noc_async_write(kBuffer, address_on(machine, kThere), machine.packet_bytes());
        noc_async_write_barrier();
    });
    const TransactionRecord record = machine.record_of({0, 0});
    const Tick issued = risc.address_ticks + risc.write_call_ticks;
    const Tick head = ticks_from_cycles(unhindered_head(record, {0, 0}, kThere));
    const Tick arrived = record.moment("request arrived");
    const Tick end = machine.result().zones.front().end;
    EXPECT_EQ(stretches_of(machine), (Stretches{{Cause::issue, 0, issued},
                                                {Cause::round_trip, issued, head},
                                                {Cause::link, head, arrived},
                                                {Cause::round_trip, arrived, end_of_wait()},
                                                {Cause::issue, end_of_wait(), end}}));
    EXPECT_EQ(arrived - head, ticks_from_cycles(cycle_containing(256 * niu.source_ticks_per_data_flit[0])));
}

TEST_P(LedgerPhases, OfAnUncontendedRead) {
    machine.run_kernel([&] {
        noc_async_read(address_on(machine, kThere), kBuffer, machine.packet_bytes());
        noc_async_read_barrier();
    });
    const TransactionRecord record = machine.record_of({0, 0});
    const Tick issued = risc.address_ticks + risc.read_call_ticks;
    const Tick head = record.moment("response head");
    const Tick arrived = record.moment("response arrived");
    const Tick end = machine.result().zones.front().end;
    EXPECT_EQ(stretches_of(machine), (Stretches{{Cause::issue, 0, issued},
                                                {Cause::round_trip, issued, head},
                                                {Cause::link, head, arrived},
                                                {Cause::round_trip, arrived, end_of_wait()},
                                                {Cause::issue, end_of_wait(), end}}));
}

/// A reservation is booked from the request for the tree to its header.
TEST_P(LedgerPhases, OfALoneMulticast) {
    const LogicalRectangle rectangle{{0, 0}, {3, 2}};
    machine.run_kernel([&] {
        noc_async_write_multicast(kBuffer, test::multicast_address(machine, rectangle, kBuffer), machine.packet_bytes(),
                                  11);
        noc_async_write_barrier();
    });
    const TransactionRecord record = machine.record_of({0, 0});
    const Tick issued = risc.address_ticks + risc.write_call_ticks;
    const Tick requested = record.moment("path requested");
    const Tick reserved = record.moment("path reserved");
    const Tick head = record.moment("request head");
    const Tick arrived = record.moment("request arrived");
    const Tick end = machine.result().zones.front().end;
    ASSERT_EQ(head, reserved + ticks_from_cycles(record.hops * router.hop_cycles)) << "something is in the way";
    const Stretches stretches = stretches_of(machine);
    for (const Booked& expected :
         {Booked{Cause::issue, 0, issued}, Booked{Cause::round_trip, issued, requested},
          Booked{Cause::reservation, requested, reserved}, Booked{Cause::round_trip, reserved, head},
          Booked{Cause::link, head, arrived}, Booked{Cause::issue, end_of_wait(), end}}) {
        EXPECT_NE(std::ranges::find(stretches, expected), stretches.end())
            << testing::PrintToString(expected) << " in " << testing::PrintToString(stretches);
    }
}

/// Acknowledgements of a packet share links with the data of the next packet in its chain. The resulting delay, up to a
/// cycle per receiver, is booked to acknowledgements.
TEST_P(LedgerPhases, OfMulticastsThatAcknowledgementsDelay) {
    const LogicalRectangle rectangle{{0, 0}, {4, 4}};
    constexpr int kPackets = 6;
    machine.run_kernel([&] {
        for (int packet = 1; packet <= kPackets; ++packet) {
            noc_async_write_multicast(kBuffer, test::multicast_address(machine, rectangle, kBuffer),
                                      machine.packet_bytes(), 24, packet < kPackets);
        }
        noc_async_write_barrier();
    });
    const std::vector<TransactionRecord> records = machine.records_of({0, 0});
    const TransactionRecord& last = records.back();
    const Cycle unhindered = cycle_at_or_after(256 * niu.multicast_sink_ticks_per_data_flit[0]);
    const Cycle late = moment(last, "request arrived") - moment(last, "request head") - unhindered;
    ASSERT_GT(late, 0) << "they are not in the way";
    ASSERT_LE(late, 24);
    const Tick arrived = last.moment("request arrived");
    const Stretches stretches = stretches_of(machine);
    EXPECT_TRUE(std::ranges::any_of(stretches, [&](const Booked& stretch) {
        return stretch.cause == Cause::acks && stretch.begin == arrived - ticks_from_cycles(late) &&
               stretch.end >= arrived;
    })) << testing::PrintToString(stretches);
    // Acknowledgements are booked while a packet waits for the previous one, too.
    EXPECT_TRUE(std::ranges::any_of(stretches, [&](const Booked& stretch) {
        return stretch.cause == Cause::acks && stretch.end <= last.accepted;
    })) << testing::PrintToString(stretches);
}

/// A change that the first poll sees causes no wait, whether it comes before or during the poll.
TEST_P(LedgerPhases, OfABarrierThatHasNothingToWaitFor) {
    int at_once = 0;
    int waited = 0;
    for (int delay = 250; delay < 450; ++delay) {
        WatchedMachine later(GetParam());
        later.run_kernel([&] {
            noc_async_write(kBuffer, address_on(later, kThere), later.flit_bytes());
            for (int count = 0; count < delay; ++count) {
                static_cast<void>(get_noc_addr(later.x(kThere), later.y(kThere), kBuffer));  // takes one cycle
            }
            DeviceZoneScopedN("barrier");
            noc_async_write_barrier();
        });
        const Zone zone = later.result().zone("barrier");
        const Tick least = risc.zone_ticks + risc.register_load_ticks + risc.barrier_exit_ticks;
        if (zone.end - zone.start == least) {
            EXPECT_EQ(zone.ledger.ticks(Cause::issue), least) << delay;
            ++at_once;
        } else {
            EXPECT_GT(zone.ledger.ticks(Cause::round_trip), 0) << delay;
            ++waited;
        }
    }
    EXPECT_GT(at_once, 0);
    EXPECT_GT(waited, 0);
}

/// Without other kernels nothing is booked to contention, even if own transactions delay each other.
TEST_P(LedgerPhases, OfOneKernelAloneKnowNoContention) {
    for (const bool reads : {false, true}) {
        WatchedMachine alone(GetParam());
        alone.add_kernel({kHere, 0, 0}, [&] {
            for (int packet = 0; packet < 12; ++packet) {
                if (reads) {
                    noc_async_read(address_on(alone, kThere), kBuffer, alone.packet_bytes());
                } else {
                    noc_async_write(kBuffer, address_on(alone, kThere), alone.packet_bytes());
                }
            }
            noc_async_full_barrier();
        });
        alone.run();
        const Ledger ledger = alone.result().zones.front().ledger;
        EXPECT_EQ(ledger.ticks(Cause::contention), 0) << reads;
        EXPECT_GT(ledger.ticks(Cause::link), ticks_from_cycles(10 * 256)) << reads;
    }
}

/// One flit behind another core's packet on a common virtual channel follows the packet's tail in the next cycle.
TEST_P(LedgerPhases, OfAWriteBehindAnotherCoresPacket) {
    constexpr LogicalCoordinate kOther{0, 3};
    add_stream("other", kOther, kThere, 1, 1);
    machine.add_kernel(
        {kHere, 0, 0},
        [&] {
            wait_a_while();
            noc_async_write(kBuffer, address_on(machine, kThere), machine.flit_bytes(), kNocOfKernel, 1);
            noc_async_write_barrier();
        },
        "behind");
    machine.run();
    const TransactionRecord ahead = machine.record_of(kOther);
    const TransactionRecord behind = machine.record_of(kHere);
    const Cycle unhindered = unhindered_head(behind, kHere, kThere);
    ASSERT_GT(unhindered, moment(ahead, "request head")) << "the other one is not in the way";
    ASSERT_LT(unhindered, moment(ahead, "request arrived"));
    EXPECT_EQ(moment(behind, "request head"), moment(ahead, "request arrived") + 1);
    EXPECT_EQ(ticks(Cause::contention, "behind"), ticks_from_cycles(moment(ahead, "request arrived") + 1 - unhindered));
    const Stretches stretches = stretches_of(machine, "behind");
    EXPECT_NE(std::ranges::find(
                  stretches, Booked{Cause::contention, ticks_from_cycles(unhindered), behind.moment("request head")}),
              stretches.end());
    EXPECT_EQ(ticks(Cause::contention, "other"), 0) << "it was first";
}

/// Two streams on one link get half of it each, and take over a quarter longer than a lone stream.
TEST_P(LedgerPhases, OfStreamsThatShareALink) {
    constexpr LogicalCoordinate kOther{0, 3};
    constexpr LogicalCoordinate kBeyond{6, 3};
    add_stream("first", kHere, kThere, 1, 1);
    add_stream("second", kOther, kBeyond, 1, 2);
    machine.run();
    for (const auto& [name, core] : {std::pair{"first", kHere}, std::pair{"second", kOther}}) {
        const TransactionRecord record = machine.record_of(core);
        const Tick streamed = record.moment("request arrived") - record.moment("request head");
        ASSERT_GT(streamed, 256 * niu.source_ticks_per_data_flit[0] * 3 / 2) << name;
        EXPECT_EQ(ticks(Cause::link, name), 0) << name;
        EXPECT_GE(ticks(Cause::contention, name), streamed) << name;
    }
}

/// Reads whose requests are delayed by another core's writes, and therefore by each other.
TEST_P(LedgerPhases, OfReadsBehindAnotherCoresWrites) {
    constexpr LogicalCoordinate kOther{0, 3};
    add_stream("writes", kOther, kThere, 12, 1);
    machine.add_kernel(
        {kHere, 0, 0},
        [&] {
            wait_a_while();
            for (int count = 0; count < 60; ++count) {
                noc_async_read(address_on(machine, kThere), kBuffer, machine.flit_bytes(), kNocOfKernel, 1);
            }
            noc_async_read_barrier();
        },
        "reads");
    machine.run();
    const std::vector<TransactionRecord> reads = machine.records_of(kHere);
    const Tick stuck = reads.front().moment("request head") - reads.front().started();
    ASSERT_GT(stuck, ticks_from_cycles(100)) << "the writes are not in the way";
    // One read passes after each write, and the next read waits for its command buffer.
    EXPECT_GT(ticks(Cause::contention, "reads"), ticks_from_cycles(10 * 256));
    EXPECT_LT(ticks(Cause::link, "reads"), ticks_from_cycles(256)) << "when the writes are gone";
}

/// Read data that compete with two other streams get a third of the link. Two alternating responses would be limited by
/// the responder.
TEST_P(LedgerPhases, OfReadDataBesideOtherStreams) {
    // On NoC 0, responses from kThere go around the edge, through kHere's row, and meet other cores' writes.
    add_stream("one", {6, 3}, {0, 3}, 8, 1);
    add_stream("two", {7, 3}, {0, 3}, 8, 2);
    add_stream("reads", {0, 3}, kThere, 1, 1, true);
    machine.run();
    const std::vector<TransactionRecord> records = machine.records_of({0, 3});
    ASSERT_EQ(records.size(), 1U);
    const Tick streamed = records[0].moment("response arrived") - records[0].moment("response head");
    ASSERT_GT(streamed, 256 * niu.source_ticks_per_data_flit[0] * 5 / 2 + ticks_from_cycles(8)) << "they do not meet";
    const Stretches stretches = stretches_of(machine, "reads");
    EXPECT_TRUE(std::ranges::any_of(stretches, [&](const Booked& stretch) {
        return stretch.cause == Cause::contention && stretch.begin <= records[0].moment("response head") &&
               stretch.end >= records[0].moment("response arrived");
    })) << testing::PrintToString(stretches);
}

/// Half of the latency is booked to L1, the rest to DRAM.
TEST_P(LedgerPhases, OfALoneReadOfDram) {
    machine.run_kernel([&] {
        noc_async_read(get_noc_addr_from_bank_id<true>(0, 0), kBuffer, machine.flit_bytes());
        noc_async_read_barrier();
    });
    const TransactionRecord record = machine.record_of({0, 0});
    const MemoryConstants& memory = machine.device().board().memory_constants;
    const Cycle asked =
        moment(record, "request arrived") + niu.ejection_cycles + niu.read_turnaround_cycles + l1.read_latency_cycles;
    EXPECT_EQ(moment(record, "response started"), asked + memory.read_latency_cycles);
    const Tick served = ticks_from_cycles(asked);
    const Stretches stretches = stretches_of(machine);
    EXPECT_NE(std::ranges::find(stretches,
                                Booked{Cause::dram, served, served + ticks_from_cycles(memory.read_latency_cycles)}),
              stretches.end())
        << testing::PrintToString(stretches);
    const Tick data = record.moment("response arrived") - record.moment("response head");
    EXPECT_EQ(ticks(Cause::dram), ticks_from_cycles(memory.read_latency_cycles) + data);
    EXPECT_EQ(ticks(Cause::contention) + ticks(Cause::link) + ticks(Cause::acks), 0);
}

TEST_P(LedgerPhases, OfALoneWriteToDram) {
    machine.run_kernel([&] {
        noc_async_write(kBuffer, get_noc_addr_from_bank_id<true>(0, 0), machine.flit_bytes());
        noc_async_write_barrier();
    });
    const TransactionRecord record = machine.record_of({0, 0});
    const MemoryConstants& memory = machine.device().board().memory_constants;
    const Cycle taken = moment(record, "request arrived") + niu.ejection_cycles + l1.write_latency_cycles;
    EXPECT_EQ(moment(record, "response started"), taken + memory.write_latency_cycles);
    const Stretches stretches = stretches_of(machine);
    EXPECT_NE(std::ranges::find(stretches, Booked{Cause::dram, ticks_from_cycles(taken),
                                                  ticks_from_cycles(taken + memory.write_latency_cycles)}),
              stretches.end())
        << testing::PrintToString(stretches);
    EXPECT_EQ(ticks(Cause::dram), ticks_from_cycles(memory.write_latency_cycles));
    EXPECT_EQ(ticks(Cause::contention) + ticks(Cause::acks), 0);
}

/// A read delayed by other reads at its DRAM channel is booked to the channel.
TEST_P(LedgerPhases, OfReadsThatWaitForEachOtherAtDram) {
    machine.run_kernel([&] {
        for (int packet = 0; packet < 6; ++packet) {
            noc_async_read(get_noc_addr_from_bank_id<true>(0, 0), kBuffer, machine.packet_bytes());
        }
        noc_async_read_barrier();
    });
    const TransactionRecord last = machine.records_of({0, 0}).back();
    const MemoryConstants& memory = machine.device().board().memory_constants;
    const Cycle asked =
        moment(last, "request arrived") + niu.ejection_cycles + niu.read_turnaround_cycles + l1.read_latency_cycles;
    const Tick begin = ticks_from_cycles(asked);
    const Tick end = last.moment("response started");
    ASSERT_GT(end - begin, ticks_from_cycles(3 * memory.read_latency_cycles)) << "it did not wait";
    const Stretches stretches = stretches_of(machine);
    EXPECT_TRUE(std::ranges::any_of(stretches, [&](const Booked& stretch) {
        return stretch.cause == Cause::dram && stretch.begin <= begin && stretch.end >= end;
    })) << testing::PrintToString(stretches);
}

/// A read delayed by the endpoint's request interval is booked to the channel, too.
TEST_P(LedgerPhases, OfReadsThatWaitForTheEndpointOfDram) {
    WatchedMachine slow(GetParam(), {{"dram.read_request_interval_cycles", "1000"}});
    slow.run_kernel([&] {
        for (int read = 0; read < 2; ++read) {
            noc_async_read(get_noc_addr_from_bank_id<true>(0, 0), kBuffer, slow.flit_bytes());
        }
        noc_async_read_barrier();
    });
    const TransactionRecord last = slow.records_of({0, 0}).back();
    const Cycle asked =
        moment(last, "request arrived") + niu.ejection_cycles + niu.read_turnaround_cycles + l1.read_latency_cycles;
    const Tick begin = ticks_from_cycles(asked);
    const Tick end = last.moment("response started");
    ASSERT_GT(end - begin, ticks_from_cycles(900)) << "it did not wait";
    const Stretches stretches = stretches_of(slow);
    EXPECT_TRUE(std::ranges::any_of(stretches, [&](const Booked& stretch) {
        return stretch.cause == Cause::dram && stretch.begin <= begin && stretch.end >= end;
    })) << testing::PrintToString(stretches);
}

/// Commands held back by the limit of reads in flight are booked to the window.
TEST_P(LedgerPhases, OfReadsThatWaitForTheWindow) {
    WatchedMachine narrow(GetParam(), {{"niu.outstanding_reads_max", "2"}});
    narrow.add_kernel({kHere, 0, 0}, [&] {
        for (int packet = 0; packet < 8; ++packet) {
            noc_async_read(address_on(narrow, kThere), kBuffer, narrow.flit_bytes());
        }
        noc_async_read_barrier();
    });
    narrow.run();
    const Ledger ledger = narrow.result().zones.front().ledger;
    const TransactionRecord first = narrow.records_of(kHere).front();
    // Three further rounds of two reads take a round trip each.
    const Tick round = first.moment("response arrived") - first.started();
    EXPECT_EQ(ledger.ticks(Cause::contention), 0);
    EXPECT_GT(ledger.ticks(Cause::window) + ledger.ticks(Cause::round_trip), 3 * round);
    EXPECT_GT(ledger.ticks(Cause::window), 0);
}

}  // namespace

}  // namespace nocbench
