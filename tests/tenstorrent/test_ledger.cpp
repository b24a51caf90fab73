// Ledger of cycles: every tick of every zone is booked to one cause, and the sums determine the limiter.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device_model/sim/ledger.h"
#include "kernels/tensix/dataflow_api.h"
#include "tests/support/machine.h"
#include "tests/support/multicast_geometry.h"
#include "tests/support/random_program.h"
#include "tests/support/thinning.h"

namespace nocbench {

namespace {

using namespace nocbench::dataflow;
using test::kBuffer;
using test::Machine;
using test::RandomProgram;

Ledger ledger_of(const std::map<Cause, Tick>& ticks) {
    Ledger ledger;
    for (const auto& [cause, number] : ticks) {
        ledger.book(cause, number);
    }
    return ledger;
}

TEST(LedgerTest, AddsUpByCause) {
    Ledger ledger;
    EXPECT_EQ(ledger.total(), 0);
    ledger.book(Cause::link, 3);
    ledger.book(Cause::host, 5);
    ledger.book(Cause::link, 4);
    EXPECT_EQ(ledger.ticks(Cause::link), 7);
    EXPECT_EQ(ledger.ticks(Cause::host), 5);
    EXPECT_EQ(ledger.ticks(Cause::issue), 0);
    EXPECT_EQ(ledger.total(), 12);
}

TEST(LedgerTest, CausesHaveTheNamesOfTheColumn) {
    std::vector<std::string_view> names;
    names.reserve(kNumCauses);
    for (std::size_t index = 0; index < kNumCauses; ++index) {
        names.push_back(to_string(static_cast<Cause>(index)));
    }
    EXPECT_EQ(names,
              (std::vector<std::string_view>{"issue", "link", "ejection", "acks", "reservation", "contention", "dram",
                                             "memory", "window", "round_trip", "semaphore", "circular_buffer", "host",
                                             "driver", "bus", "unpack", "compute", "pack"}));
}

TEST(LedgerTest, RoundTripLimitsIfItTakesMoreThanHalf) {
    EXPECT_EQ(ledger_of({{Cause::round_trip, 101}, {Cause::issue, 100}}).limiter(), Cause::round_trip);
    EXPECT_EQ(ledger_of({{Cause::round_trip, 100}, {Cause::issue, 100}}).limiter(), Cause::issue);
    EXPECT_EQ(ledger_of({{Cause::round_trip, 100}, {Cause::link, 90}, {Cause::issue, 10}}).limiter(), Cause::link);
}

TEST(LedgerTest, IssueLimitsIfTheRiscIsBusyForThreeQuartersOfTheRest) {
    EXPECT_EQ(ledger_of({{Cause::issue, 75}, {Cause::link, 25}}).limiter(), Cause::issue);
    EXPECT_EQ(ledger_of({{Cause::issue, 74}, {Cause::link, 26}}).limiter(), Cause::link);
    EXPECT_EQ(ledger_of({{Cause::issue, 75}, {Cause::link, 25}, {Cause::round_trip, 90}}).limiter(), Cause::issue);
}

TEST(LedgerTest, OtherwiseTheLongestWaitLimits) {
    EXPECT_EQ(ledger_of({{Cause::issue, 50}, {Cause::dram, 20}, {Cause::contention, 30}}).limiter(), Cause::contention);
    EXPECT_EQ(ledger_of({{Cause::issue, 50}, {Cause::dram, 20}, {Cause::window, 21}, {Cause::acks, 9}}).limiter(),
              Cause::window);
}

TEST(LedgerTest, WaitsOfKernelsForEachOtherLimitIfTheyTakeMoreThanHalf) {
    EXPECT_EQ(ledger_of({{Cause::semaphore, 51}, {Cause::issue, 20}, {Cause::link, 30}}).limiter(), Cause::semaphore);
    EXPECT_EQ(ledger_of({{Cause::circular_buffer, 1000}, {Cause::issue, 80}}).limiter(), Cause::circular_buffer);
    EXPECT_EQ(ledger_of({{Cause::semaphore, 40}, {Cause::circular_buffer, 41}, {Cause::issue, 80}}).limiter(),
              Cause::circular_buffer);
    EXPECT_EQ(ledger_of({{Cause::semaphore, 40}, {Cause::circular_buffer, 40}, {Cause::issue, 79}}).limiter(),
              Cause::semaphore);
}

TEST(LedgerTest, ShorterWaitsOfKernelsForEachOtherAreLeftOut) {
    EXPECT_EQ(ledger_of({{Cause::semaphore, 50}, {Cause::issue, 20}, {Cause::link, 30}}).limiter(), Cause::link);
    EXPECT_EQ(ledger_of({{Cause::circular_buffer, 100}, {Cause::round_trip, 60}, {Cause::link, 40}}).limiter(),
              Cause::round_trip);
    EXPECT_EQ(ledger_of({{Cause::semaphore, 90}, {Cause::issue, 80}, {Cause::link, 20}}).limiter(), Cause::issue);
}

/// Checks zones of all kernels: bookings equal the elapsed time, and a zone includes its inner zones.
void expect_everything_booked(Machine& machine) {
    for (const KernelResult& result : machine.device().kernel_results()) {
        std::vector<Tick> of_children(result.zones.size());
        for (std::size_t index = 0; index < result.zones.size(); ++index) {
            const Zone& zone = result.zones[index];
            SCOPED_TRACE(result.identity.kernel + " on " + to_string(result.identity.core) + ", zone " +
                         std::to_string(index));
            EXPECT_EQ(zone.ledger.total(), zone.end - zone.start);
            for (std::size_t cause = 0; cause < kNumCauses; ++cause) {
                EXPECT_GE(zone.ledger.ticks(static_cast<Cause>(cause)), 0) << to_string(static_cast<Cause>(cause));
            }
            if (zone.parent >= 0) {
                const Zone& parent = result.zones[static_cast<std::size_t>(zone.parent)];
                EXPECT_GE(zone.start, parent.start);
                EXPECT_LE(zone.end, parent.end);
                of_children[static_cast<std::size_t>(zone.parent)] += zone.end - zone.start;
            }
        }
        for (std::size_t index = 0; index < result.zones.size(); ++index) {
            EXPECT_LE(of_children[index], result.zones[index].end - result.zones[index].start);
        }
    }
}

constexpr std::uint32_t kProgramsPerBoard = test::thinned(30U, 6U);

class RandomPrograms : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, RandomPrograms, testing::ValuesIn(test::all_boards()),
                         [](const auto& test) { return test.param; });

TEST_P(RandomPrograms, EveryTickIsBookedAndEveryByteIsInPlace) {
    for (std::uint32_t seed = 0; seed < kProgramsPerBoard; ++seed) {
        SCOPED_TRACE("program " + std::to_string(seed));
        RandomProgram program(GetParam(), seed);
        program.run();
        expect_everything_booked(program.machine());
        ASSERT_EQ(program.misplaced_data(), "");
        if (HasFailure()) {
            return;
        }
    }
}

// Waits that end unusually.

class Bookings : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] std::uint64_t there(std::uint32_t address) const {
        return get_noc_addr(machine.x({2, 1}), machine.y({2, 1}), address);
    }

    Machine machine{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(All, Bookings, testing::Values("n150", "p150"), [](const auto& test) { return test.param; });

TEST_P(Bookings, ManyReadsWaitForTheWindow) {
    machine.run_kernel([&] {
        DeviceZoneScopedN("reads");
        for (int count = 0; count < 700; ++count) {
            noc_async_read(there(kBuffer), kBuffer, machine.packet_bytes());
        }
        noc_async_read_barrier();
    });
    expect_everything_booked(machine);
}

TEST_P(Bookings, PostedWritesWithoutAnyFlush) {
    machine.run_kernel([&] {
        for (int count = 0; count < 50; ++count) {
            DeviceZoneScopedN("write");
            noc_async_write<true>(kBuffer, there(kBuffer), machine.packet_bytes());
        }
    });
    expect_everything_booked(machine);
}

TEST_P(Bookings, ZonesThatEndBeforeTheirWritesDo) {
    machine.run_kernel([&] {
        for (int count = 0; count < 20; ++count) {
            {
                DeviceZoneScopedN("write");
                noc_async_write(kBuffer, there(kBuffer), machine.packet_bytes() + 100);
            }
            DeviceZoneScopedN("inc");
            noc_semaphore_inc(there(kBuffer), 1);
        }
        noc_async_full_barrier();
    });
    expect_everything_booked(machine);
}

/// A command that waits for the window also delays later ones in the queue.
TEST_P(Bookings, WritesBehindReadsThatWait) {
    machine.run_kernel([&] {
        for (int count = 0; count < 300; ++count) {
            noc_async_read(there(kBuffer), kBuffer, machine.packet_bytes(), kNocOfKernel, 2);
        }
        for (int count = 0; count < 3; ++count) {
            DeviceZoneScopedN("writes");
            noc_async_write<true>(kBuffer, there(kBuffer), 64, kNocOfKernel, 1);
            noc_async_write(kBuffer, there(kBuffer), 64, kNocOfKernel, 3);
        }
        noc_async_full_barrier();
    });
    expect_everything_booked(machine);
}

/// The increments queue behind a write on another virtual channel. The previous packet on their own virtual channel was
/// a posted write, which has arrived long before.
TEST_P(Bookings, WaitsBehindAnotherVirtualChannel) {
    machine.run_kernel([&] {
        noc_async_write<true>(kBuffer, there(kBuffer), 64, kNocOfKernel, 1);
        for (int count = 0; count < 3; ++count) {
            noc_async_read(there(kBuffer), kBuffer, 64, kNocOfKernel, 3);
        }
        noc_async_full_barrier();
        for (int count = 0; count < 2; ++count) {
            noc_async_write(kBuffer, there(kBuffer), machine.packet_bytes(), kNocOfKernel, 2);
        }
        {
            DeviceZoneScopedN("increments");
            for (int count = 0; count < 3; ++count) {
                noc_semaphore_inc(there(kBuffer), 1, kNocOfKernel, 1);
            }
        }
        noc_async_full_barrier();
    });
    expect_everything_booked(machine);
}

/// Multicasts from core (2, 1) to a square whose first corner is this core.
struct MulticastCalls {
    int width = 2;
    std::uint32_t data_flits = 1;
    bool linked = false;
    bool includes_source = false;
    std::uint32_t count = 64;
};

Cause limiter_of_multicasts(const std::string& board, const MulticastCalls& calls) {
    Machine machine(board);
    const LogicalCoordinate first{2, 1};
    const LogicalRectangle rectangle{first, {first.x + calls.width - 1, first.y + calls.width - 1}};
    const auto receivers = static_cast<std::uint32_t>(calls.width * calls.width) - (calls.includes_source ? 0 : 1);
    machine.add_kernel({first, 0, 0}, [&] {
        const std::uint64_t there = test::multicast_address(machine, rectangle, kBuffer);
        const std::uint32_t size = calls.data_flits * machine.flit_bytes();
        DeviceZoneScopedN("multicasts");
        for (std::uint32_t number = 1; number <= calls.count; ++number) {
            const bool linked = calls.linked && number < calls.count;
            if (calls.includes_source) {
                noc_async_write_multicast_loopback_src(kBuffer, there, size, receivers, linked);
            } else {
                noc_async_write_multicast(kBuffer, there, size, receivers, linked);
            }
        }
        noc_async_write_barrier();
    });
    machine.run();
    expect_everything_booked(machine);
    return machine.result().zone("multicasts").ledger.limiter();
}

TEST_P(Bookings, EveryTickOfMulticastsIsBooked) {
    for (const int width : {2, 5, 6}) {
        for (const std::uint32_t data_flits : {1U, 20U, 256U, 600U}) {
            for (const bool linked : {false, true}) {
                for (const bool includes_source : {false, true}) {
                    for (const std::uint32_t count : {1U, 2U, 30U}) {
                        SCOPED_TRACE(testing::Message()
                                     << width << ' ' << data_flits << ' ' << linked << includes_source << ' ' << count);
                        limiter_of_multicasts(GetParam(), {width, data_flits, linked, includes_source, count});
                    }
                }
            }
        }
    }
}

TEST_P(Bookings, SmallUnlinkedMulticastsAreLimitedByReservations) {
    for (const int width : {3, 5, 6}) {
        EXPECT_EQ(limiter_of_multicasts(GetParam(), {.width = width}), Cause::reservation) << width;
    }
}

TEST_P(Bookings, SmallLinkedMulticastsToManyAreLimitedByAcknowledgements) {
    EXPECT_EQ(limiter_of_multicasts(GetParam(), {.width = 6, .linked = true}), Cause::acks);
}

TEST_P(Bookings, SmallLinkedMulticastsToFewAreLimitedByTheirIssue) {
    EXPECT_EQ(limiter_of_multicasts(GetParam(), {.width = 2, .linked = true}), Cause::issue);
}

TEST_P(Bookings, LargeLinkedMulticastsToFewAreLimitedByALink) {
    EXPECT_EQ(limiter_of_multicasts(GetParam(), {.width = 2, .data_flits = 256, .linked = true}), Cause::link);
}

TEST_P(Bookings, ASingleMulticastIsLimitedByItsRoundTrip) {
    EXPECT_EQ(limiter_of_multicasts(GetParam(), {.width = 2, .count = 1}), Cause::round_trip);
}

/// A source whose tree overlaps reserved trees also waits for its reservation.
TEST_P(Bookings, MulticastsThatMeetWaitForReservations) {
    std::vector<std::string> names;
    for (const LogicalCoordinate source : {LogicalCoordinate{2, 1}, {3, 2}, {4, 3}, {0, 0}}) {
        names.push_back(to_string(source));
        machine.add_kernel(
            {source, 0, 0},
            [&, source] {
                const LogicalRectangle rectangle{{2, 1}, {4, 3}};
                const std::uint32_t receivers = source.x == 0 ? 9 : 8;
                DeviceZoneScopedN("multicasts");
                for (int count = 0; count < 20; ++count) {
                    noc_async_write_multicast(kBuffer, test::multicast_address(machine, rectangle, kBuffer), 64,
                                              receivers);
                }
                noc_async_write_barrier();
            },
            names.back());
    }
    machine.run();
    expect_everything_booked(machine);
    for (const std::string& name : names) {
        EXPECT_EQ(machine.result(name).zone("multicasts").ledger.limiter(), Cause::reservation) << name;
    }
}

TEST_P(Bookings, UnicastsBehindAChainThatWaitsForItsTree) {
    machine.run_kernel([&] {
        const LogicalRectangle rectangle{{2, 1}, {4, 3}};
        for (int round = 0; round < 5; ++round) {
            const std::uint64_t receivers = test::multicast_address(machine, rectangle, kBuffer);
            {
                DeviceZoneScopedN("chain");
                noc_async_write_multicast(kBuffer, receivers, machine.packet_bytes(), 9, true);
                noc_async_write_multicast(kBuffer, receivers, 64, 9);
            }
            {
                DeviceZoneScopedN("writes");
                noc_async_write(kBuffer, there(kBuffer), 64);
                noc_async_write<true>(kBuffer, there(kBuffer), 64);
                noc_semaphore_inc(there(kBuffer), 1);
            }
        }
        noc_async_full_barrier();
    });
    expect_everything_booked(machine);
}

TEST_P(Bookings, TimeInNoZoneIsBookedToTheKernel) {
    machine.run_kernel([&] {
        noc_async_read(there(kBuffer), kBuffer, 64);
        noc_async_read_barrier();
    });
    const KernelResult result = machine.result();
    ASSERT_EQ(result.zones.size(), 1U);
    EXPECT_EQ(result.zones[0].ledger.total(), result.zones[0].end);
    EXPECT_GT(result.zones[0].ledger.ticks(Cause::round_trip), result.zones[0].ledger.ticks(Cause::issue));
}

TEST_P(Bookings, WaitsForKernelsAreBookedAsSuch) {
    const std::uint32_t semaphore = machine.program().add_semaphore({{0, 0}, {2, 1}}, 0);
    machine.program().add_circular_buffer({0, 0}, 0, kBuffer, 64, 1);
    machine.add_kernel(
        {{0, 0}, 0, 0},
        [&] {
            {
                DeviceZoneScopedN("semaphore");
                noc_semaphore_wait(L1Pointer(get_semaphore(semaphore)), 1);
            }
            {
                DeviceZoneScopedN("circular buffer");
                cb_wait_front(0, 1);
            }
        },
        "waits");
    machine.add_kernel(
        {{0, 0}, 1, 1},
        [&] {
            const auto work = [] {
                for (int load = 0; load < 200; ++load) {
                    static_cast<void>(load_l1_word(kBuffer));
                }
            };
            work();
            noc_semaphore_set(L1Pointer(get_semaphore(semaphore)), 1);
            work();
            cb_push_back(0, 1);
        },
        "works");
    machine.run();
    expect_everything_booked(machine);
    const KernelResult waits = machine.result("waits");
    const Zone& for_semaphore = waits.zone("semaphore");
    const Zone& for_pages = waits.zone("circular buffer");
    EXPECT_GT(for_semaphore.ledger.ticks(Cause::semaphore), (for_semaphore.end - for_semaphore.start) * 9 / 10);
    EXPECT_GT(for_pages.ledger.ticks(Cause::circular_buffer), (for_pages.end - for_pages.start) * 9 / 10);
    EXPECT_EQ(for_semaphore.ledger.limiter(), Cause::semaphore);
    EXPECT_EQ(for_pages.ledger.limiter(), Cause::circular_buffer);
}

}  // namespace

}  // namespace nocbench
