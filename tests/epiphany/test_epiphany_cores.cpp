// Cores and their DMA engines, one rule at a time: memory banks, TESTSET, throttling and reads in flight of engines,
// and causes in the ledger.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/epiphany_core.h"
#include "tests/epiphany/epiphany_machine.h"

namespace nocbench {

namespace {

using namespace nocbench::epiphany;
using test::EpiphanyMachine;

// Addresses in different banks of 8 KiB.
constexpr Address kBankOne = 0x2000;
constexpr Address kBankTwo = 0x4000;

Tick now() { return EpiphanyCore::current().now(); }

/// Returns the time of 100 loads by core (0, 0) from kBankOne, while a neighbour writes to `written` continuously.
Tick loads_beside_writes(Address written, bool has_writes = true) {
    EpiphanyMachine machine;
    Tick duration = 0;
    machine.add_kernel({0, 0}, [&] {
        instructions(50);  // long enough for the writes to arrive
        const Tick begin = now();
        for (int count = 0; count < 100; ++count) {
            load<std::uint64_t>(kBankOne);
        }
        duration = now() - begin;
    });
    if (has_writes) {
        machine.add_kernel({1, 0}, [&] {
            for (int count = 0; count < 1000; ++count) {
                store<std::uint64_t>(global_address(0, written), 1);
            }
        });
    }
    machine.run();
    return duration;
}

TEST(EpiphanyBanks, ABankTakesOneAccessInACycle) {
    const Tick alone = loads_beside_writes(kBankOne, false);
    const EpiphanyCoreConstants costs = epiphany_of(test::epiphany()).core;
    EXPECT_EQ(alone, 100 * (costs.load_ticks + costs.local_load_use_ticks));
    EXPECT_GT(loads_beside_writes(kBankOne), alone) << "writes from outside go first";
}

TEST(EpiphanyBanks, AnotherBankIsNotInTheWay) {
    EXPECT_EQ(loads_beside_writes(kBankTwo), loads_beside_writes(kBankOne, false));
}

TEST(EpiphanySynchronizationRules, TestsetLeavesWhatIsNotZero) {
    EpiphanyMachine machine;
    std::vector<std::uint32_t> found;
    machine.add_kernel({0, 0}, [&] {
        store<std::uint32_t>(kBankOne, 5);
        for (const Address target : {global_address(0, kBankOne), global_address(0, kBankTwo)}) {
            found.push_back(test_and_set(target));
            found.push_back(test_and_set(target));
            found.push_back(load<std::uint32_t>(target));
        }
    });
    machine.run();
    EXPECT_EQ(found, (std::vector<std::uint32_t>{5, 5, 5, 0, 1, 1}));
}

/// Returns the time from the start of the channels until all have ended, each writing `bytes` to a neighbour.
Tick engine_time(int channels, std::uint32_t bytes) {
    EpiphanyMachine machine;
    Tick duration = 0;
    machine.add_kernel({0, 0}, [&] {
        for (int channel = 0; channel < channels; ++channel) {
            const auto offset = static_cast<Address>(channel) * 0x1000;
            put_descriptor(kDmaDescriptorAddress + static_cast<Address>(channel) * 32,
                           block_descriptor(global_address(1, kBankOne + offset), kBankTwo + offset, bytes));
        }
        const Tick begin = now();
        for (int channel = 0; channel < channels; ++channel) {
            dma_start_at(channel, kDmaDescriptorAddress + static_cast<Address>(channel) * 32);
        }
        for (int channel = 0; channel < channels; ++channel) {
            dma_wait(channel);
        }
        duration = now() - begin;
    });
    machine.run();
    return duration;
}

TEST(EpiphanyEngines, BothChannelsTogetherAreThrottled) {
    const DmaConstants dma = epiphany_of(test::epiphany()).dma;
    ASSERT_EQ(dma.has_throttling_erratum, 1);
    constexpr std::uint32_t kBytes = 2048;
    const std::int64_t dwords = kBytes / 2 / 8;  // number of dwords by which one transfer is longer
    const Tick one = engine_time(1, kBytes) - engine_time(1, kBytes / 2);
    const Tick both = engine_time(2, kBytes) - engine_time(2, kBytes / 2);
    EXPECT_NEAR(cycles_from_ticks(one), cycles_from_ticks(dwords * dma.erratum_write_interval_ticks), 20);
    EXPECT_NEAR(cycles_from_ticks(both), cycles_from_ticks(2 * dwords * dma.erratum_write_interval_ticks), 20);
}

/// The number of external-memory reads in flight determines the speed: two take half the time of one.
TEST(EpiphanyEngines, HaveSoManyReadsInFlight) {
    const auto time_of = [](const std::string& reads_max) {
        EpiphanyMachine machine({{"dma.outstanding_reads_max", reads_max}});
        Tick duration = 0;
        machine.add_kernel({3, 1}, [&] {
            const Tick begin = now();
            dma_copy(kBankOne, external_address(0), 1600);
            duration = now() - begin;
        });
        machine.run();
        return cycles_from_ticks(duration);
    };
    const double setup = time_of("11") - 200 * 51.2;  // approximate time without reads
    EXPECT_NEAR((time_of("1") - setup) / (time_of("2") - setup), 2, 0.1);
    EXPECT_NEAR((time_of("1") - setup) / (time_of("4") - setup), 4, 0.2);
}

/// Two engines on different cores read external memory. The read interval applies to dwords of one engine, not across
/// engines.
TEST(EpiphanyEngines, DoNotWaitForTheReadsOfOthers) {
    const auto time_of = [](bool has_other) {
        EpiphanyMachine machine;
        Tick duration = 0;
        machine.add_kernel({3, 1}, [&] {
            const Tick begin = now();
            dma_copy(kBankOne, external_address(0), 2048);
            duration = now() - begin;
        });
        if (has_other) {
            machine.add_kernel({3, 2}, [] { dma_copy(kBankOne, external_address(4096), 2048); });
        }
        machine.run();
        return cycles_from_ticks(duration);
    };
    const ElinkConstants elink = epiphany_of(test::epiphany()).elink;
    ASSERT_GT(2 * elink.dma_read_ticks, elink.same_engine_read_interval_ticks) << "the link serves both";
    const double alone = time_of(false);
    // The link needs dma_read_ticks for each dword of both engines, longer than one engine's read interval.
    const double expected = alone * 2 * static_cast<double>(elink.dma_read_ticks) /
                            static_cast<double>(elink.same_engine_read_interval_ticks);
    EXPECT_NEAR(time_of(true), expected, alone / 10);
}

TEST(EpiphanyLedger, AStoreThatFindsNoRoomWaitsForTheMeshOrForExternalMemory) {
    const auto waits_of = [](bool external) {
        EpiphanyMachine machine;
        // All other cores write to one core, which receives less than they could send.
        machine.add_kernel_everywhere([&](int core) {
            if (core == 0) {
                return;
            }
            const Address target = external ? external_address(0) : global_address(0, kBankOne);
            for (int count = 0; count < 200; ++count) {
                store<std::uint64_t>(target, 1);
            }
        });
        machine.run();
        const Ledger ledger = machine.device().kernel_results().at(5).zones.front().ledger;
        return std::pair(ledger.ticks(Cause::contention), ledger.ticks(Cause::memory));
    };
    const auto [mesh_contention, mesh_memory] = waits_of(false);
    EXPECT_GT(mesh_contention, ticks_from_cycles(1000));
    EXPECT_EQ(mesh_memory, 0);
    const auto [external_contention, external_memory] = waits_of(true);
    EXPECT_EQ(external_contention, 0);
    EXPECT_GT(external_memory, ticks_from_cycles(1000));
}

}  // namespace

}  // namespace nocbench
