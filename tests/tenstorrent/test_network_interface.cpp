// Network interfaces, one rule at a time: reads in flight and their spacing, requests in service, virtual channels of
// responses, and writes to DRAM tiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/noc/wait_for_graph.h"
#include "device_model/sim/error.h"
#include "device_model/tenstorrent/arch/constants.h"
#include "device_model/tenstorrent/device_state.h"
#include "device_model/tenstorrent/niu/network_interfaces.h"
#include "device_model/tenstorrent/risc.h"
#include "device_model/tenstorrent/tile/niu_command.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/multicast_geometry.h"
#include "tests/support/watched_machine.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::kBuffer;
using test::moment;
using test::WatchedMachine;

constexpr LogicalCoordinate kFar{5, 3};

class NetworkInterface : public testing::TestWithParam<std::string> {
protected:
    static std::uint64_t address_on(const WatchedMachine& machine, LogicalCoordinate core) {
        return get_noc_addr(machine.x(core), machine.y(core), kBuffer);
    }
};

INSTANTIATE_TEST_SUITE_P(All, NetworkInterface, testing::Values("n150", "p150"),
                         [](const auto& test) { return test.param; });

TEST_P(NetworkInterface, AReadIsInFlightUntilItsDataAreInMemory) {
    for (const int most : {1, 3}) {
        WatchedMachine machine(GetParam(), {{"niu.outstanding_reads_max", std::to_string(most)}});
        machine.run_kernel([&] {
            for (int read = 0; read < 7; ++read) {
                noc_async_read(address_on(machine, kFar), kBuffer, machine.flit_bytes());
            }
            noc_async_read_barrier();
        });
        const std::vector<TransactionRecord> reads = machine.records_of({0, 0});
        const TorusArchitecture& architecture = machine.architecture();
        for (auto next = static_cast<std::size_t>(most); next < reads.size(); ++next) {
            const TransactionRecord& before = reads[next - static_cast<std::size_t>(most)];
            EXPECT_EQ(moment(reads[next], "started"), moment(before, "response arrived") +
                                                          architecture.niu.ejection_cycles +
                                                          architecture.l1.write_latency_cycles)
                << most << ", read " << next;
        }
    }
}

/// Blackhole spaces reads of one responder on NoC 1; a read of a different responder is not delayed. On Wormhole, reads
/// follow the RISC's calls.
TEST_P(NetworkInterface, ReadsOfOneResponderAreApart) {
    for (const int noc : {0, 1}) {
        WatchedMachine machine(GetParam());
        machine.add_kernel({{0, 0}, 0, noc}, [&] {
            const std::uint64_t one = address_on(machine, kFar);
            const std::uint64_t other = address_on(machine, {0, 1});
            for (const std::uint64_t address : {one, one, one, one, other, one, other, one}) {
                noc_async_read(address, kBuffer, machine.flit_bytes());
            }
            noc_async_read_barrier();
        });
        machine.run();
        const std::vector<TransactionRecord> reads = machine.records_of({0, 0});
        ASSERT_EQ(reads.size(), 8U);
        const RiscConstants& risc = machine.architecture().risc;
        const NiuConstants& niu = machine.architecture().niu;
        const Tick of_one =
            std::max(niu.same_responder_read_interval_ticks[static_cast<std::size_t>(noc)], risc.read_call_ticks);
        // A command issued within a cycle starts in the next cycle.
        EXPECT_LT(std::abs(reads[3].started() - reads[2].started() - of_one), kTicksPerCycle);
        const Tick of_both = risc.read_call_ticks + risc.read_new_target_ticks;
        EXPECT_LT(std::abs(reads[7].started() - reads[5].started() - 2 * of_both), kTicksPerCycle);
        EXPECT_LT(std::abs(reads[6].started() - reads[5].started() - of_both), kTicksPerCycle);
    }
}

/// A tile serves a limited number of reads per virtual channel. The next request stays in the router for a hold time,
/// which ends before the response begins.
TEST_P(NetworkInterface, FurtherRequestsWaitWhileAReadIsHeld) {
    WatchedMachine machine(GetParam());
    const NiuConstants& niu = machine.architecture().niu;
    ASSERT_EQ(niu.read_requests_per_virtual_channel_max, 1);
    ASSERT_LT(niu.read_request_hold_cycles, niu.read_turnaround_cycles + machine.architecture().l1.read_latency_cycles);
    // Readers at different distances, so that the farther one's request arrives before the nearer one's data leave.
    const std::vector<LogicalCoordinate> readers{{1, 3}, {0, 3}};
    for (const LogicalCoordinate reader : readers) {
        machine.add_kernel({reader, 0, 0}, [&] {
            noc_async_read(address_on(machine, kFar), kBuffer, machine.flit_bytes(), kNocOfKernel, 1);
            noc_async_read_barrier();
        });
    }
    machine.run();
    const TransactionRecord near = machine.record_of(readers[0]);
    const TransactionRecord far = machine.record_of(readers[1]);
    const Cycle there = moment(near, "request head") +
                        machine.hops(0, readers[1], readers[0]) * machine.architecture().router.hop_cycles;
    const Cycle released = moment(near, "request arrived") + niu.ejection_cycles + niu.read_request_hold_cycles;
    ASSERT_LT(there, released) << "the other request comes too late";
    EXPECT_EQ(moment(far, "request head"), released);
}

/// Atomics from any senders begin at an interval. Data in L1 and the response follow from the begin.
TEST_P(NetworkInterface, AtomicsOfATileBeginOneAfterTheOther) {
    WatchedMachine machine(GetParam());
    const NiuConstants& niu = machine.architecture().niu;
    const std::vector<LogicalCoordinate> senders{{4, 3}, {3, 3}, {2, 3}, {1, 3}};
    for (const LogicalCoordinate sender : senders) {
        machine.add_kernel({sender, 0, 0}, [&] {
            noc_semaphore_inc(address_on(machine, kFar), 1);
            noc_async_atomic_barrier();
        });
    }
    machine.run();
    Cycle next_begin = 0;
    int num_waited = 0;
    for (const LogicalCoordinate sender : senders) {
        const TransactionRecord atomic = machine.record_of(sender);
        const Cycle in_interface = moment(atomic, "request arrived") + niu.ejection_cycles;
        const Cycle begin = std::max(in_interface, next_begin);
        num_waited += begin > in_interface ? 1 : 0;
        EXPECT_EQ(moment(atomic, "response started"), begin + machine.architecture().l1.atomic_latency_cycles);
        next_begin = begin + niu.atomic_interval_cycles;
    }
    EXPECT_GT(num_waited, 1) << "they come too far apart";
}

/// Returns the cycles between head and end of a packet that goes to `kFar`, whose RISC may poll L1.
Cycle taken_in_beside_polls(const std::string& board, bool polls, bool multicast) {
    WatchedMachine machine(board, {{"l1.poll_cycles", "2"}, {"risc.l1_load_cycles", "10"}});
    const std::uint32_t semaphore = machine.program().add_semaphore({{0, 0}, kFar}, 0);
    machine.add_kernel({{0, 0}, 0, 0}, [&] {
        const std::uint32_t x = machine.x(kFar);
        const std::uint32_t y = machine.y(kFar);
        if (multicast) {
            noc_async_write_multicast(kBuffer, get_noc_multicast_addr(x, y, x, y, kBuffer), machine.packet_bytes(), 1);
        } else {
            noc_async_write(kBuffer, get_noc_addr(x, y, kBuffer), machine.packet_bytes());
        }
        noc_async_write_barrier();
        noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(semaphore)), 1);
        noc_async_atomic_barrier();
    });
    if (polls) {
        machine.add_kernel({kFar, 0, 0}, [&] { noc_semaphore_wait(L1Pointer(get_semaphore(semaphore)), 1); }, "poller");
    }
    machine.run();
    const TransactionRecord write = machine.records_of({0, 0}).front();
    return moment(write, "request arrived") - moment(write, "request head");
}

/// A poll of 2 cycles in every 10 cycles slows a multicast into L1 by a fifth, and nothing else.
TEST_P(NetworkInterface, PollsOfL1TakeTheirShareFromMulticasts) {
    const TorusArchitecture& architecture = torus_of(test::architecture_of(GetParam()));
    const auto flits = static_cast<Tick>(architecture.router.max_packet_data_flits);
    const Tick sink = architecture.niu.multicast_sink_ticks_per_data_flit[0];
    ASSERT_GT(sink, architecture.niu.source_ticks_per_data_flit[0]);
    EXPECT_NEAR(static_cast<double>(taken_in_beside_polls(GetParam(), false, true)), cycles_from_ticks(flits * sink),
                2);
    EXPECT_NEAR(static_cast<double>(taken_in_beside_polls(GetParam(), true, true)),
                cycles_from_ticks(flits * sink * 6 / 5), 2);
    EXPECT_EQ(taken_in_beside_polls(GetParam(), true, false), taken_in_beside_polls(GetParam(), false, false));
}

/// If a read waits for another response, and not for L1, the next request waits until the read's response begins.
TEST_P(NetworkInterface, AReadThatWaitsForAnotherResponseIsHeldUntilItIsServed) {
    WatchedMachine machine(GetParam());
    const NiuConstants& niu = machine.architecture().niu;
    std::vector<LogicalCoordinate> readers{{4, 3}, {3, 3}, {2, 3}, {1, 3}};
    readers.resize(static_cast<std::size_t>(niu.concurrent_responses) + 2);
    for (const LogicalCoordinate reader : readers) {
        machine.add_kernel({reader, 0, 0}, [&] {
            noc_async_read(address_on(machine, kFar), kBuffer, machine.packet_bytes(), kNocOfKernel, 1);
            noc_async_read_barrier();
        });
    }
    machine.run();
    const Cycle served = moment(machine.record_of(*(readers.end() - 2)), "response started");
    EXPECT_GT(served, moment(machine.record_of(*(readers.end() - 2)), "request arrived") + niu.ejection_cycles +
                          niu.read_turnaround_cycles + machine.architecture().l1.read_latency_cycles);
    EXPECT_EQ(moment(machine.record_of(readers.back()), "request head"), served);
}

/// The number of a tile's responses in flight is limited; the next response waits until one of them has nearly left.
TEST_P(NetworkInterface, SoManyResponsesAreUnderWayAtOnce) {
    WatchedMachine machine(GetParam());
    const NiuConstants& niu = machine.architecture().niu;
    const auto at_once = static_cast<std::size_t>(niu.concurrent_responses);
    std::vector<LogicalCoordinate> readers{{3, 3}, {2, 3}, {1, 3}};
    ASSERT_LT(at_once, readers.size());
    readers.resize(at_once + 1);
    for (const LogicalCoordinate reader : readers) {
        machine.add_kernel({reader, 0, 0}, [&] {
            noc_async_read(address_on(machine, kFar), kBuffer, machine.packet_bytes(), kNocOfKernel, 1);
            noc_async_read_barrier();
        });
    }
    machine.run();
    const auto waited = [&](LogicalCoordinate reader) {
        const TransactionRecord read = machine.record_of(reader);
        return moment(read, "response started") - moment(read, "request arrived") - niu.ejection_cycles -
               niu.read_turnaround_cycles - machine.architecture().l1.read_latency_cycles;
    };
    for (std::size_t reader = 0; reader < at_once; ++reader) {
        EXPECT_EQ(waited(readers[reader]), 0);
    }
    const auto data_flits = static_cast<Cycle>(machine.packet_bytes() / machine.flit_bytes());
    EXPECT_GT(waited(readers[at_once]), static_cast<Cycle>(at_once) * data_flits / 2)
        << "until half of what the others send has gone";
}

/// A dynamic request overtakes another core's packet on its virtual channel; a static one does not.
TEST_P(NetworkInterface, DynamicRequestsLeaveATakenVirtualChannel) {
    for (const bool is_dynamic : {false, true}) {
        WatchedMachine machine(GetParam());
        constexpr LogicalCoordinate kOther{0, 3};
        machine.add_kernel({kOther, 0, 0}, [&] {
            noc_async_write(kBuffer, address_on(machine, kFar), machine.packet_bytes(), kNocOfKernel, 1);
            noc_async_write_barrier();
        });
        machine.add_kernel({{1, 3}, 0, 0}, [&] {
            for (int load = 0; load < 20; ++load) {
                static_cast<void>(load_l1_word(kBuffer));
            }
            noc_async_write(kBuffer, address_on(machine, kFar), machine.flit_bytes(), kNocOfKernel,
                            static_cast<std::uint8_t>(1 | (is_dynamic ? NOC_DYNAMIC_VC : 0)));
            noc_async_write_barrier();
        });
        machine.run();
        const Tick ahead = machine.record_of(kOther).moment("request arrived");
        const Tick arrived = machine.record_of({1, 3}).moment("request arrived");
        EXPECT_EQ(arrived < ahead, is_dynamic);
    }
}

/// On NoC 1 a tile sends slower than it receives: data to two tiles move at the sending rate, data from two tiles at
/// the receiving rate.
TEST_P(NetworkInterface, TilesSendAndReceiveAtRatesOfTheirOwn) {
    const std::vector<LogicalCoordinate> others{{1, 1}, {2, 5}};
    const auto cycles_of = [&](bool from_one) {
        WatchedMachine machine(GetParam());
        const auto write = [&machine](LogicalCoordinate to, std::uint8_t channel) {
            noc_async_write(kBuffer, address_on(machine, to), machine.packet_bytes(), kNocOfKernel, channel);
        };
        std::vector<LogicalCoordinate> sources = others;
        if (from_one) {
            sources = {kFar};
            machine.add_kernel({kFar, 0, 1}, [&] {
                write(others[0], 1);
                write(others[1], 2);
                noc_async_write_barrier();
            });
        } else {
            for (std::size_t source = 0; source < others.size(); ++source) {
                machine.add_kernel({others[source], 0, 1}, [&, source] {
                    write(kFar, static_cast<std::uint8_t>(1 + source));
                    noc_async_write_barrier();
                });
            }
        }
        machine.run();
        Tick begin = kNever;
        Tick end = 0;
        for (const LogicalCoordinate source : sources) {
            for (const TransactionRecord& record : machine.records_of(source)) {
                begin = std::min(begin, from_one ? record.started() : record.moment("request head"));
                end = std::max(end, record.moment("request arrived"));
            }
        }
        return cycles_from_ticks(end - begin);
    };
    const TorusArchitecture& architecture = torus_of(test::architecture_of(GetParam()));
    const NiuConstants& niu = architecture.niu;
    ASSERT_GT(niu.source_ticks_per_data_flit[1], niu.sink_ticks_per_data_flit[1]);
    const auto hops = WatchedMachine(GetParam()).hops(1, kFar, others[1]);
    const Cycle way =
        architecture.l1.read_latency_cycles + niu.injection_cycles + hops * architecture.router.hop_cycles;
    const double source = cycles_from_ticks(512 * niu.source_ticks_per_data_flit[1]);
    const double sink = cycles_from_ticks(512 * niu.sink_ticks_per_data_flit[1]);
    const double headers = 2;
    EXPECT_NEAR(cycles_of(true), static_cast<double>(way) + source + headers, (source - sink) / 2);
    EXPECT_NEAR(cycles_of(false), sink + headers, (source - sink) / 2);
}

/// Commands that no API call issues: inline data, and transaction ids.
NiuCommand word_with_id(const WatchedMachine& machine, Risc& risc, std::uint8_t id) {
    NiuCommand command;
    command.kind = TransactionKind::write;
    command.buffer = 2;
    command.virtual_channel = 1;
    command.has_inline_data = true;
    command.operand = 0x12345678;
    command.bytes = sizeof(std::uint32_t);
    command.id = id;
    command.target = unicast_target(risc.state(), get_noc_addr(machine.x(kFar), machine.y(kFar), kBuffer));
    return command;
}

TEST_P(NetworkInterface, InlineDataAreNotReadFromL1) {
    WatchedMachine machine(GetParam());
    machine.run_kernel([&] {
        Risc& risc = Risc::current();
        risc.synchronize();
        submit_command(risc, word_with_id(machine, risc, 0));
    });
    const TransactionRecord write = machine.record_of({0, 0});
    const TorusArchitecture& architecture = machine.architecture();
    EXPECT_EQ(moment(write, "request head"), moment(write, "started") + architecture.niu.injection_cycles +
                                                 machine.hops(0, {0, 0}, kFar) * architecture.router.hop_cycles);
}

TEST_P(NetworkInterface, TransactionsOfEachIdAreCounted) {
    WatchedMachine machine(GetParam());
    using Counts = std::vector<std::uint32_t>;
    Counts two_and_five;
    Counts after_clearing;
    std::uint32_t of_multicast = 0;
    machine.run_kernel([&] {
        Risc& risc = Risc::current();
        Initiator& initiator = risc.state().interfaces[0]->initiator(risc.identity().node);
        const auto counts = [&] {
            const auto& outstanding = initiator.counters().outstanding;
            return Counts{outstanding[2], outstanding[5]};
        };
        for (const int id : {2, 5, 5}) {
            risc.wait_for_command_buffer(0, 2);
            risc.synchronize();
            submit_command(risc, word_with_id(machine, risc, static_cast<std::uint8_t>(id)));
        }
        two_and_five = counts();
        initiator.clear_outstanding(1U << 2);
        after_clearing = counts();
        const LogicalRectangle rectangle{{1, 1}, {3, 2}};
        noc_async_write_multicast(kBuffer, test::multicast_address(machine, rectangle, kBuffer), 64, 6);
        of_multicast = initiator.counters().outstanding[0];
        noc_async_write_barrier();
    });
    EXPECT_EQ(two_and_five, (Counts{1, 2}));
    EXPECT_EQ(after_clearing, (Counts{0, 2}));
    EXPECT_EQ(of_multicast, 6U) << "one for each receiver";
}

/// Responses are dynamic and begin on virtual channel 6, as shown by a deadlock of many packets on rings without
/// datelines.
TEST_P(NetworkInterface, ResponsesBeginOnTheirFirstVirtualChannel) {
    WatchedMachine machine(GetParam(), {{"router.datelines", "0"}});
    const int columns = machine.device().grid().compute_columns();
    for (int column = 0; column < columns; ++column) {
        machine.add_kernel({{column, 2}, 0, 0}, [&machine, column, columns] {
            for (int read = 0; read < 60; ++read) {
                const LogicalCoordinate from{(column + 1 + read % (columns - 1)) % columns, 2};
                noc_async_read(address_on(machine, from), kBuffer, machine.packet_bytes());
            }
            noc_async_read_barrier();
        });
    }
    EXPECT_THROW(machine.run(), KernelError);
    const std::vector<WaitingPacket> circle = find_wait_for_cycle(machine.device().state().interfaces[0]->network());
    ASSERT_FALSE(circle.empty());
    for (const WaitingPacket& waiting : circle) {
        if (waiting.packet.kind == PacketKind::read_response) {
            EXPECT_EQ(waiting.packet.software_virtual_channel, 6);
            EXPECT_FALSE(waiting.packet.is_static) << "it may take the other one, too";
        }
    }
    EXPECT_TRUE(std::ranges::any_of(
        circle, [](const WaitingPacket& waiting) { return waiting.packet.kind == PacketKind::read_response; }));
}

/// The second call of a chain gets its virtual channel when the tree is reserved, not while the chain requests it.
TEST_P(NetworkInterface, ACallOfAChainWaitsForTheTree) {
    WatchedMachine machine(GetParam());
    const LogicalRectangle rectangle{{1, 1}, {6, 5}};
    machine.run_kernel([&] {
        for (int call = 0; call < 3; ++call) {
            noc_async_write_multicast(kBuffer, test::multicast_address(machine, rectangle, kBuffer),
                                      machine.flit_bytes(), 30, call < 2);
        }
        noc_async_write_barrier();
    });
    const std::vector<TransactionRecord> calls = machine.records_of({0, 0});
    ASSERT_EQ(calls.size(), 3U);
    ASSERT_LT(calls[1].accepted, calls[0].moment("path reserved")) << "the second call comes too late";
    EXPECT_EQ(calls[1].started(), calls[0].moment("path reserved"));
    EXPECT_EQ(calls[1].start_cause, Cause::reservation);
    EXPECT_EQ(calls[1].moment("path reserved"), -1) << "it asks for no tree of its own";
}

/// Writes to one DRAM tile of Wormhole, back to back. Each ends with a separate packet.
class DramAtTheInterface : public testing::Test {
protected:
    struct Write {
        std::uint32_t address = 0;
        std::uint32_t size = 32;
        std::uint8_t channel = 1;
    };

    /// Returns the records of writes by one core.
    static std::vector<TransactionRecord> records_of(const std::vector<Write>& writes) {
        WatchedMachine machine("n150");
        machine.run_kernel([&] {
            const std::uint64_t bank = get_noc_addr_from_bank_id<true>(0, 0);
            for (const Write& write : writes) {
                noc_async_write(kBuffer, bank + write.address, write.size, kNocOfKernel, write.channel);
            }
            noc_async_write_barrier();
        });
        return machine.records_of({0, 0});
    }

    /// Returns the cycle in which DRAM accepts the last flit of a write.
    [[nodiscard]] Cycle taken(const TransactionRecord& write) const {
        return moment(write, "response started") - architecture_.l1.write_latency_cycles - memory.write_latency_cycles;
    }
    /// Return the cycles in which the first and the last data flit reach the controller; the first follows the header.
    [[nodiscard]] Cycle first_flit(const TransactionRecord& write) const {
        return moment(write, "request head") + 1 + architecture_.niu.ejection_cycles;
    }
    [[nodiscard]] Cycle last_flit(const TransactionRecord& write) const {
        return moment(write, "request arrived") + architecture_.niu.ejection_cycles;
    }

    const TorusArchitecture& architecture_ = torus_of(test::architecture_of("n150"));
    const DramConstants& dram = architecture_.dram;
    const MemoryConstants& memory = torus_of(test::architecture_of("n150").board("n150")).memory_constants;
};

TEST_F(DramAtTheInterface, AWriteThatEndsOrBeginsWithinABurstKeepsIt) {
    const auto burst = static_cast<std::uint32_t>(dram.burst_bytes);
    struct Case {
        std::uint32_t address;
        std::uint32_t size;
        bool keeps_first_flit;
    };
    // Two of the writes do not cover the first flit of their burst, so the next write merges with them.
    for (const auto& [address, size, keeps_first_flit] :
         {Case{0, burst, false}, Case{0, 4 * burst, false}, Case{burst, burst, false}, Case{0, burst - 32, true},
          Case{0, burst + 32, true}, Case{32, burst - 32, false}, Case{32, burst, true}, Case{96, 32, false}}) {
        SCOPED_TRACE(std::to_string(size) + " bytes at " + std::to_string(address));
        // The next write goes to the last burst of this one, and arrives long before the end of the read-modify-write.
        const std::uint32_t last_burst = (address + size - 1) / burst * burst;
        const std::vector<TransactionRecord> writes = records_of({{address, size}, {last_burst, 32}});
        ASSERT_EQ(writes.size(), 2U);
        const Tick rate = std::max(memory.subchannel_write_ticks_per_flit, memory.bank_write_ticks_per_flit);
        const Tick last = ticks_from_cycles(first_flit(writes[0])) + (size / 32 - 1) * rate;
        EXPECT_EQ(taken(writes[0]), cycle_at_or_after(last)) << "what a partial burst costs is paid behind its end";
        const Cycle ready = cycle_at_or_after(last + (keeps_first_flit ? dram.partial_write_ticks : rate));
        ASSERT_LT(last_flit(writes[1]), cycle_at_or_after(last + dram.partial_write_ticks)) << "it comes too late";
        EXPECT_EQ(taken(writes[1]), std::max(last_flit(writes[1]), ready));
    }
}

TEST_F(DramAtTheInterface, AWriteOnAnotherVirtualChannelWaitsUntilTheBridgeHasChangedOver) {
    const auto packet =
        static_cast<std::uint32_t>(architecture_.router.flit_bytes * architecture_.router.max_packet_data_flits);
    const auto burst = static_cast<std::uint32_t>(dram.burst_bytes);
    // After the second write's first flit, the others wait for the change time, counted from the end of the previous
    // write.
    const auto waited = [&](const std::vector<TransactionRecord>& writes) {
        const Cycle flits_that_wait = dram.burst_bytes / architecture_.router.flit_bytes - 1;
        return moment(writes[1], "request arrived") - moment(writes[0], "request arrived") - flits_that_wait;
    };
    EXPECT_EQ(waited(records_of({{0, packet, 1}, {packet, burst, 2}})), dram.write_change_cycles);
    EXPECT_EQ(waited(records_of({{0, packet / 2, 1}, {packet, burst, 2}})), dram.write_change_cycles / 2)
        << "the less data the one before had, the sooner";
    EXPECT_LT(waited(records_of({{0, packet, 1}, {packet, burst, 1}})), dram.write_change_cycles / 2);
}

/// A write that has crossed a dateline is on another VC of hardware, and on the same one of software.
TEST_F(DramAtTheInterface, TheTwoVirtualChannelsOfADatelineAreOne) {
    constexpr Cycle kChange = 100'000;
    const auto last_arrival = [&](std::uint8_t second_channel) {
        WatchedMachine machine("n150", {{"dram.write_change_cycles", std::to_string(kChange)}});
        const Grid& grid = machine.device().grid();
        const auto banks = grid.dram_banks();
        const auto bank = static_cast<std::uint32_t>(
            std::ranges::find_if(banks, [](const DramBank& of) { return of.endpoint[0].x == 5; }) - banks.begin());
        // Packets on NoC 0 go right: the second writer's cross the edge.
        const std::vector<LogicalCoordinate> writers{{0, 0}, {7, 0}};
        for (std::size_t writer = 0; writer < writers.size(); ++writer) {
            const std::uint8_t channel = writer == 0 ? 1 : second_channel;
            machine.add_kernel({writers[writer], 0, 0}, [&machine, bank, writer, channel] {
                noc_async_write(kBuffer, get_noc_addr_from_bank_id<true>(bank, 0) + writer * 8192,
                                machine.packet_bytes(), kNocOfKernel, channel);
                noc_async_write_barrier();
            });
        }
        machine.run();
        return std::max(moment(machine.record_of(writers[0]), "request arrived"),
                        moment(machine.record_of(writers[1]), "request arrived"));
    };
    EXPECT_LT(last_arrival(1), kChange / 2);
    EXPECT_GT(last_arrival(2), kChange) << "that is what a change costs";
}

/// A packet arrives faster than DRAM accepts it. When the buffer is full, flits are accepted as earlier ones leave for
/// DRAM.
TEST_F(DramAtTheInterface, AFullWriteBufferTakesNoMore) {
    const auto flits = static_cast<std::int64_t>(256);
    const std::int64_t places = dram.write_buffer_bytes / architecture_.router.flit_bytes;
    const Tick rate = std::max(memory.subchannel_write_ticks_per_flit, memory.bank_write_ticks_per_flit);
    ASSERT_GT((flits - places) * rate, flits * architecture_.niu.source_ticks_per_data_flit[0]) << "it never fills";
    const TransactionRecord write = records_of({{0, static_cast<std::uint32_t>(flits) * 32}}).front();
    EXPECT_EQ(moment(write, "request arrived"),
              cycle_at_or_after(ticks_from_cycles(first_flit(write)) + (flits - places) * rate));
}

/// Data of two writes arrive simultaneously on two virtual channels; a bridge accepts one write after the other.
TEST_F(DramAtTheInterface, WritesDoNotInterleave) {
    WatchedMachine machine("n150", {{"dram.write_change_cycles", "0"}});
    const std::vector<LogicalCoordinate> writers{{0, 0}, {0, 1}};
    for (std::size_t writer = 0; writer < writers.size(); ++writer) {
        machine.add_kernel({writers[writer], 0, 0}, [&machine, writer] {
            noc_async_write(kBuffer, get_noc_addr_from_bank_id<true>(0, 0) + writer * 8192, machine.packet_bytes(),
                            kNocOfKernel, static_cast<std::uint8_t>(1 + writer));
            noc_async_write_barrier();
        });
    }
    machine.run();
    const TransactionRecord one = machine.record_of(writers[0]);
    const TransactionRecord other = machine.record_of(writers[1]);
    const auto [first, second] = std::minmax({one.moment("request arrived"), other.moment("request arrived")});
    // DRAM accepts one flit per subchannel_write_ticks_per_flit, and the whole second write after the first.
    EXPECT_GE(second - first, 255 * memory.subchannel_write_ticks_per_flit - ticks_from_cycles(1));
}

/// Returns one-flit reads of the first DRAM bank by one core, with `num_reads` for each NoC.
std::vector<TransactionRecord> reads_of_bank(const std::string& board, const std::string& interval_cycles,
                                             std::array<int, kNumNocs> num_reads) {
    WatchedMachine machine(board, {{"dram.read_request_interval_cycles", interval_cycles}});
    for (int noc = 0; noc < kNumNocs; ++noc) {
        const int count = num_reads[static_cast<std::size_t>(noc)];
        if (count == 0) {
            continue;
        }
        machine.add_kernel({{0, 0}, noc, noc}, [&machine, count] {
            for (int read = 0; read < count; ++read) {
                noc_async_read(get_noc_addr_from_bank_id<true>(0, 0), kBuffer, machine.flit_bytes());
            }
            noc_async_read_barrier();
        });
    }
    machine.run();
    return machine.records_of({0, 0});
}

TEST_P(NetworkInterface, AnEndpointOfDramPassesOnOneReadRequestAfterTheOther) {
    const std::vector<TransactionRecord> reads = reads_of_bank(GetParam(), "100.5", {3, 0});
    ASSERT_EQ(reads.size(), 3U);
    const Cycle first = moment(reads[0], "response started");
    EXPECT_EQ(moment(reads[1], "response started"), first + 101) << "rounded up";
    EXPECT_EQ(moment(reads[2], "response started"), first + 201) << "but not each by itself";
    // After an idle time longer than the interval, latencies equal the first read's.
    const std::vector<TransactionRecord> free = reads_of_bank(GetParam(), "1", {3, 0});
    EXPECT_EQ(moment(free[1], "response started") - moment(free[1], "request arrived"),
              first - moment(reads[0], "request arrived"));
}

TEST_P(NetworkInterface, ReadRequestsOnTheOtherNocDoNotWait) {
    const auto latency = [](const std::vector<TransactionRecord>& reads, int noc) {
        const auto read =
            std::ranges::find_if(reads, [&](const TransactionRecord& record) { return record.noc == noc; });
        return moment(*read, "response started") - moment(*read, "request arrived");
    };
    const std::vector<TransactionRecord> both = reads_of_bank(GetParam(), "1000", {1, 1});
    ASSERT_EQ(both.size(), 2U);
    for (const int noc : {0, 1}) {
        std::array<int, kNumNocs> alone{};
        alone[static_cast<std::size_t>(noc)] = 1;
        EXPECT_LE(latency(both, noc) - latency(reads_of_bank(GetParam(), "1000", alone), noc), 3)
            << "no more than a flit of DRAM on NoC " << noc;
    }
}

/// Writes of one flit to the host, over a link that takes a flit in less than a cycle. A write reaches the full buffer
/// of 64 bytes when the link has taken another one, a cycle behind its header.
TEST_P(NetworkInterface, TheTileOfTheHostPassesOnOneWriteAfterTheOther) {
    WatchedMachine machine(GetParam(), {{"pcie.write_request_interval_cycles", "400.5"},
                                        {"pcie.write_buffer_bytes", "64"},
                                        {"host_link.write_megabytes_per_second", "1000000"}});
    machine.run_kernel([&] {
        const std::uint64_t host = get_noc_addr_helper(NOC_XY_PCIE_ENCODING(PCIE_NOC_X, PCIE_NOC_Y), 0);
        for (int write = 0; write < 5; ++write) {
            noc_async_write(kBuffer, host, machine.flit_bytes());
        }
        noc_async_write_barrier();
    });
    const std::vector<TransactionRecord> writes = machine.records_of({0, 0});
    ASSERT_EQ(writes.size(), 5U);
    const std::size_t places = 64 / machine.flit_bytes();
    const Cycle first = moment(writes[0], "request arrived") + machine.architecture().niu.ejection_cycles;
    EXPECT_EQ(moment(writes[places + 1], "request arrived"), first + 401 + 2) << "rounded up";
    EXPECT_EQ(moment(writes[places + 2], "request arrived"), first + 801 + 2) << "but not each by itself";
}

/// Returns the time between the starts of the second and third of three reads from one responder.
Tick spacing_of_reads(const std::string& board, const std::string& call_cycles, bool of_dram, bool are_stateful) {
    WatchedMachine machine(board, {{"niu.same_responder_read_interval_cycles", "60, 60"},
                                   {"dram.same_responder_read_gap_cycles", "50"},
                                   {"risc.read_call_cycles", call_cycles},
                                   {"risc.stateful_read_call_cycles", call_cycles},
                                   {"risc.read_first_repeat_cycles", "0"}});
    machine.run_kernel([&] {
        const std::uint64_t source =
            of_dram ? get_noc_addr_from_bank_id<true>(0, 0) : get_noc_addr(machine.x(kFar), machine.y(kFar), kBuffer);
        const auto bytes = machine.flit_bytes();
        noc_async_read_one_packet_set_state(source, bytes);
        for (int read = 0; read < 3; ++read) {
            if (are_stateful) {
                noc_async_read_one_packet_with_state(static_cast<std::uint32_t>(source), kBuffer);
            } else {
                noc_async_read(source, kBuffer, bytes);
            }
        }
        noc_async_read_barrier();
    });
    const std::vector<TransactionRecord> reads = machine.records_of({0, 0});
    return reads[2].started() - reads[1].started();
}

TEST_P(NetworkInterface, ReadsOfL1AreApartUnlessTheyAreStateful) {
    for (const char* const call_cycles : {"45", "55"}) {
        EXPECT_LT(std::abs(spacing_of_reads(GetParam(), call_cycles, false, false) - ticks_from_cycles(60)),
                  kTicksPerCycle);
    }
    EXPECT_EQ(spacing_of_reads(GetParam(), "45", false, true), ticks_from_cycles(45)) << "as the RISC issues them";
    EXPECT_EQ(spacing_of_reads(GetParam(), "45", true, true), ticks_from_cycles(45));
}

TEST_P(NetworkInterface, ReadsOfDramAreApartIfTheyComeCloseBehindEachOther) {
    EXPECT_LT(std::abs(spacing_of_reads(GetParam(), "45", true, false) - ticks_from_cycles(60)), kTicksPerCycle);
    EXPECT_EQ(spacing_of_reads(GetParam(), "55", true, false), ticks_from_cycles(55)) << "as the RISC issues them";
}

}  // namespace

}  // namespace nocbench
