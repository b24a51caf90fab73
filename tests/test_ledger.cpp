// Where the cycles went: every tick of every zone is booked to one cause, and the limiter follows from the sums.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device_model/ledger.h"
#include "kernels/dataflow_api.h"
#include "tests/machine.h"
#include "tests/random_program.h"

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
    EXPECT_EQ(names, (std::vector<std::string_view>{"issue", "link", "ejection", "acks", "reservation", "contention",
                                                    "dram", "memory", "window", "round_trip", "semaphore",
                                                    "circular_buffer", "host"}));
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

TEST(LedgerTest, WaitsOfKernelsForEachOtherLimitNothing) {
    EXPECT_EQ(ledger_of({{Cause::semaphore, 1000}, {Cause::issue, 20}, {Cause::link, 30}}).limiter(), Cause::link);
    EXPECT_EQ(ledger_of({{Cause::circular_buffer, 1000}, {Cause::round_trip, 60}, {Cause::link, 40}}).limiter(),
              Cause::round_trip);
    EXPECT_EQ(ledger_of({{Cause::semaphore, 1000}, {Cause::issue, 80}, {Cause::link, 20}}).limiter(), Cause::issue);
}

/// Zones of all kernels: booked is what passed, and a zone holds what the zones in it hold.
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

constexpr std::uint32_t kProgramsPerBoard = 30;

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

// Waits that end in unusual ways.

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

/// What waits for the window keeps others in the queue, too.
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

/// The increments wait in the queue behind a write on another virtual channel; what went over their own one before was
/// a posted write, which has long arrived.
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
}

}  // namespace

}  // namespace nocbench
