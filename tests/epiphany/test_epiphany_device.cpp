// Epiphany machine without other parts: effects and times of loads, stores, DMA engines and synchronization.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_core.h"
#include "tests/epiphany/epiphany_machine.h"
#include "tests/support/error_message.h"

namespace nocbench {

namespace {

using namespace nocbench::epiphany;
using test::distinct_bytes;
using test::EpiphanyMachine;
using test::error_message;
using test::without_times;

constexpr Address kHere = 0x2000;
constexpr Address kThere = 0x4000;

/// Returns the time of `action` in a kernel on core (0, 0).
double duration(const std::function<void()>& action, const std::vector<Setting>& settings = {}) {
    EpiphanyMachine machine(settings);
    double result = 0;
    machine.add_kernel({0, 0}, [&] {
        const Tick begin = EpiphanyCore::current().now();
        action();
        result = cycles_from_ticks(EpiphanyCore::current().now() - begin);
    });
    machine.run();
    return result;
}

/// Returns the error of `kernel`, named 'mover', on core (2, 1).
std::string told(const std::function<void()>& kernel) {
    EpiphanyMachine machine;
    machine.add_kernel({2, 1}, kernel, "mover");
    return without_times(error_message([&] { machine.run(); }));
}

TEST(EpiphanyAddresses, CoreIdsAreRowsAndColumns) {
    EpiphanyMachine machine;
    EXPECT_EQ(machine.device().global_address({0, 0}, 0x100), 0x80800100U);
    EXPECT_EQ(machine.device().global_address({3, 0}, 0), 0x80b00000U);
    EXPECT_EQ(machine.device().global_address({0, 3}, 0), 0x8c800000U);
    EXPECT_EQ(error_message([&] { static_cast<void>(machine.device().global_address({4, 0}, 0)); }),
              "core (4, 0): expected x from 0 to 3 and y from 0 to 3");
}

TEST(EpiphanyAddresses, TheHostSeesRangesOnly) {
    EpiphanyMachine machine;
    EXPECT_EQ(error_message([&] { machine.device().write_memory({1, 2}, 0x7ff8, distinct_bytes(16)); }),
              "memory of core (1, 2): expected a range within 0x0 to 0x8000, found 0x7ff8 to 0x8008");
    EXPECT_EQ(error_message([&] { static_cast<void>(machine.device().read_external(0x2000000, 1)); }),
              "external memory: expected a range within 0x0 to 0x2000000, found 0x2000000 to 0x2000001");
}

TEST(EpiphanyLoads, MoveEverySizeFromEverywhere) {
    EpiphanyMachine machine;
    const std::vector<std::byte> bytes = distinct_bytes(8);
    machine.device().write_memory({3, 2}, kThere, bytes);
    machine.device().write_external(64, bytes);
    machine.add_kernel({0, 0}, [] {
        const Address far = global_address(11, kThere);
        EXPECT_EQ(load<std::uint8_t>(far + 1), std::to_integer<unsigned>(distinct_bytes(8)[1]));
        EXPECT_EQ(load<std::uint16_t>(far), load<std::uint16_t>(external_address(64)));
        EXPECT_EQ(load<std::uint32_t>(far + 4), load<std::uint32_t>(external_address(68)));
        const auto dword = load<std::uint64_t>(far);
        store(kHere, dword);
        EXPECT_EQ(load<std::uint64_t>(kHere), dword);
        store(global_address(5, kHere), static_cast<std::uint16_t>(dword));
        store(external_address(128), static_cast<std::uint8_t>(dword));
    });
    machine.run();
    EXPECT_EQ(machine.bytes({0, 0}, kHere, 8), bytes);
    EXPECT_EQ(machine.bytes({1, 1}, kHere, 4), (std::vector<std::byte>{bytes[0], bytes[1], {}, {}}));
    EXPECT_EQ(machine.device().read_external(127, 3), (std::vector<std::byte>{{}, bytes[0], {}}));
}

TEST(EpiphanyLoads, OfAllPairsOfCoresTakeEighteenCyclesAndThreePerHop) {
    for (int source = 0; source < 16; ++source) {
        for (int target = 0; target < 16; ++target) {
            EpiphanyMachine machine;
            double taken = 0;
            const LogicalCoordinate from = machine.device().core_at(source);
            const int hops = EpiphanyDevice::hops(from, machine.device().core_at(target));
            machine.add_kernel(from, [&] {
                const Tick begin = EpiphanyCore::current().now();
                load<std::uint32_t>(global_address(target, kThere));
                taken = cycles_from_ticks(EpiphanyCore::current().now() - begin);
            });
            machine.run();
            EXPECT_NEAR(taken, 18 + 3 * hops, 0.5) << source << " to " << target;
        }
    }
}

TEST(EpiphanyLoads, InstructionsThatDoNotNeedTheValueAreFree) {
    const double alone = duration([] { load<std::uint32_t>(global_address(1, kThere)); });
    EXPECT_DOUBLE_EQ(duration([] { load<std::uint32_t>(global_address(1, kThere), 10); }), alone);
    EXPECT_GT(duration([] { load<std::uint32_t>(global_address(1, kThere), 100); }), alone + 70);
}

TEST(EpiphanyStores, TakeACycleUntilTheMeshIsFull) {
    EXPECT_DOUBLE_EQ(duration([] { store<std::uint64_t>(global_address(1, kThere), 1); }), 1);
    EXPECT_DOUBLE_EQ(duration([] { store<std::uint64_t>(external_address(0), 1); }), 1);
    // 600 MHz / 75 MHz * 4 link clock periods.
    const auto writes = [](int number) {
        return duration([number] {
            for (int write = number; write > 0; --write) {
                store<std::uint64_t>(external_address(static_cast<std::uint32_t>(write) * 8), 1);
            }
        });
    };
    EXPECT_NEAR((writes(200) - writes(100)) / 100, 32, 0.1);
}

TEST(EpiphanyStores, ReadsOfTheSameMemoryDoNotOvertakeThem) {
    const auto last_seen = [](const std::string& reads_follow_writes) {
        EpiphanyMachine machine({{"mesh.reads_follow_writes", reads_follow_writes},
                                 {"elink.single_write_periods", "100"},
                                 {"elink.burst_write_periods", "100"}});
        std::uint64_t seen = 0;
        machine.add_kernel({0, 0}, [&] {
            store<std::uint64_t>(external_address(0), 5);
            seen = load<std::uint64_t>(external_address(0));
        });
        machine.run();
        return seen;
    };
    EXPECT_EQ(last_seen("1"), 5U);
    EXPECT_EQ(last_seen("0"), 0U);
}

TEST(EpiphanyErrors, NameTheCoreTheCallAndTheAddress) {
    EXPECT_EQ(told([] { store<std::uint64_t>(global_address(0, 0x2004), 1); }),
              "kernel 'mover' on core (2, 1): store: expected an address that is a multiple of the 8 bytes accessed, "
              "found 0x80802004");
    EXPECT_EQ(told([] { load<std::uint64_t>(0x2001); }),
              "kernel 'mover' on core (2, 1): load: expected an address that is a multiple of the 8 bytes accessed, "
              "found 0x00002001");
    EXPECT_EQ(told([] { store<std::uint32_t>(0x7ff00000, 1); }),
              "kernel 'mover' on core (2, 1): store: address 0x7ff00000 belongs to no core and to no external memory: "
              "expected a core of rows 32 to 35 and columns 8 to 11, or 0x8e000000 to 0x8fffffff, found row 31 and "
              "column 63");
    EXPECT_EQ(told([] { load<std::uint32_t>(0x8000); }),
              "kernel 'mover' on core (2, 1): load: expected 4 bytes within the core's memory, 0x0 to 0x7fff, found "
              "them at 0x8000");
    EXPECT_EQ(told([] { store<std::uint32_t>(0xf0400, 1); }),
              "kernel 'mover' on core (2, 1): store: expected a writable register, found 0xf0400");
    EXPECT_EQ(
        told([] { begin_hardware_loop(7); }),
        "kernel 'mover' on core (2, 1): begin_hardware_loop: expected a body of at least 8 instructions, found 7");
    EXPECT_EQ(told([] { copy(kThere, kHere, 12); }),
              "kernel 'mover' on core (2, 1): copy: expected a multiple of 8 bytes, found 12");
    EXPECT_EQ(error_message([] { core_number(); }),
              "a function of the Epiphany API was called outside of a kernel of an Epiphany core");
}

TEST(EpiphanyErrors, KernelsGoToCoresThatExistAndAreFree) {
    EpiphanyMachine machine;
    machine.add_kernel({0, 0}, [] {}, "first");
    EXPECT_EQ(error_message([&] { machine.add_kernel({0, 0}, [] {}, "second"); }),
              "kernel 'second': core (0, 0) already runs kernel 'first'");
    EXPECT_EQ(error_message([&] { machine.add_kernel({0, 4}, [] {}, "second"); }),
              "kernel 'second': core (0, 4): expected x from 0 to 3 and y from 0 to 3");
}

TEST(EpiphanyErrors, KernelsThatNeverEndAreStopped) {
    EpiphanyMachine machine;
    machine.add_kernel({0, 0}, [] {
        while (true) {
            test_and_set(global_address(1, kThere));
        }
    });
    EXPECT_EQ(without_times(error_message([&] { machine.run(10'000); })),
              "the program still runs after 10000 cycles, the limit of modeled time (cycles_max)\n  kernel 'kernel' on "
              "core (0, 0) waits since cycle # in "
              "test_and_set at 0x80904000, for the data to come back");
}

TEST(EpiphanyDma, CopiesBlocksBothWays) {
    EpiphanyMachine machine;
    const std::vector<std::byte> bytes = distinct_bytes(1024);
    machine.device().write_memory({0, 0}, kHere, bytes);
    machine.add_kernel({0, 0}, [] {
        dma_copy(global_address(15, kThere), kHere, 1024);
        dma_copy(external_address(4096), kHere, 1024);
        dma_copy(0x3000, external_address(4096), 1024);
        dma_copy(kThere, global_address(15, kThere), 1024);
    });
    machine.run();
    EXPECT_EQ(machine.bytes({3, 3}, kThere, 1024), bytes);
    EXPECT_EQ(machine.device().read_external(4096, 1024), bytes);
    EXPECT_EQ(machine.bytes({0, 0}, 0x3000, 1024), bytes);
    EXPECT_EQ(machine.bytes({0, 0}, kThere, 1024), bytes);
}

TEST(EpiphanyDma, CopiesRowsOfAMatrix) {
    EpiphanyMachine machine;
    machine.device().write_memory({0, 0}, kHere, distinct_bytes(256));
    machine.add_kernel({0, 0}, [] {
        // Four rows of 8 words, from rows of 16 words; the second half of each row is not copied.
        DmaDescriptor descriptor;
        descriptor.element_bytes = 4;
        descriptor.inner_source_stride = 4;
        descriptor.inner_destination_stride = 4;
        descriptor.inner_count = 8;
        descriptor.outer_count = 4;
        descriptor.outer_source_stride = 9 * 4;
        descriptor.outer_destination_stride = 4;
        descriptor.source = kHere;
        descriptor.destination = global_address(1, kThere);
        dma_start(1, descriptor);
        dma_wait(1);
    });
    machine.run();
    const std::vector<std::byte> source = distinct_bytes(256);
    const std::vector<std::byte> found = machine.bytes({1, 0}, kThere, 128);
    for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t byte = 0; byte < 32; ++byte) {
            ASSERT_EQ(found[row * 32 + byte], source[row * 64 + byte]) << row << ", " << byte;
        }
    }
}

TEST(EpiphanyDma, WorksThroughAChainAndInterrupts) {
    EpiphanyMachine machine;
    const std::vector<std::byte> bytes = distinct_bytes(128);
    machine.device().write_memory({0, 0}, kHere, bytes);
    machine.add_kernel({0, 0}, [] {
        DmaDescriptor first = block_descriptor(global_address(4, kThere), kHere, 64);
        first.chains = true;
        first.next = 0x7000;
        DmaDescriptor second = block_descriptor(global_address(4, kThere + 64), kHere + 64, 64);
        second.interrupts = true;
        put_descriptor(0x7000, second);
        dma_start(0, first);
        wait_for_interrupt();
        EXPECT_FALSE(dma_is_busy(0));
    });
    machine.run();
    EXPECT_EQ(machine.bytes({0, 1}, kThere, 128), bytes);
}

TEST(EpiphanyDma, DescriptorsAreEncodedAsTheyLieInMemory) {
    DmaDescriptor descriptor;
    descriptor.element_bytes = 2;
    descriptor.chains = true;
    descriptor.interrupts = true;
    descriptor.next = 0x1238;
    descriptor.inner_source_stride = -2;
    descriptor.inner_destination_stride = 6;
    descriptor.inner_count = 77;
    descriptor.outer_count = 3;
    descriptor.outer_source_stride = 40;
    descriptor.outer_destination_stride = -40;
    descriptor.source = 0x80800000;
    descriptor.destination = 0x8e000000;
    const DmaDescriptor decoded = DmaDescriptor::decoded(descriptor.encoded());
    EXPECT_EQ(decoded.encoded(), descriptor.encoded());
    EXPECT_EQ(decoded.element_bytes, 2);
    EXPECT_EQ(decoded.inner_source_stride, -2);
    EXPECT_EQ(decoded.next, 0x1238);
    EXPECT_TRUE(decoded.chains);
}

TEST(EpiphanyDma, StartsJustBelowFiveHundredCyclesAndWritesADwordEveryTwo) {
    const auto write = [](std::uint32_t bytes, const std::vector<Setting>& settings = {}) {
        return duration([bytes] { dma_copy(global_address(1, kThere), kHere, bytes); }, settings);
    };
    EXPECT_NEAR(write(8), 430, 10);  // includes the call: 22 or 51
    EXPECT_NEAR((write(8192) - write(4096)) / 512, 2, 0.05);
    EXPECT_NEAR(
        (write(8192, {{"dma.has_throttling_erratum", "0"}}) - write(4096, {{"dma.has_throttling_erratum", "0"}})) / 512,
        1, 0.05);
}

TEST(EpiphanyDma, LeavingPollsOutChangesNothing) {
    // External memory, the first core, and the second-last core.
    for (const Address target : {Address{0x8e000000}, Address{0x80900000} + kThere, Address{0x8ca00000} + kThere}) {
        for (const std::uint32_t bytes : {8U, 64U, 136U, 512U, 1000U}) {
            const auto copied_with = [&](void (*wait)(int)) {
                EpiphanyMachine machine;
                std::vector<std::uint64_t> ends(2);
                // Another core reads from the polling core.
                machine.add_kernel({1, 1}, [&] {
                    instructions(500);
                    for (int load_number = 0; load_number < 5; ++load_number) {
                        load<std::uint64_t>(global_address(0, kHere));
                        instructions(100);
                    }
                    ends[1] = timer();
                });
                machine.add_kernel({0, 0}, [&] {
                    dma_start(0, block_descriptor(target, kHere, bytes));
                    wait(0);
                    ends[0] = timer();
                });
                machine.run();
                return ends;
            };
            const auto polling = copied_with([](int channel) {
                while (dma_is_busy(channel)) {
                }
            });
            const auto leaving_out = copied_with(&dma_wait);
            // A read by another core that coincides with a skipped poll may be a cycle earlier or later.
            EXPECT_NEAR(static_cast<double>(leaving_out[0]), static_cast<double>(polling[0]), 20)
                << target << ", " << bytes;
            EXPECT_NEAR(static_cast<double>(leaving_out[1]), static_cast<double>(polling[1]), 10)
                << target << ", " << bytes;
        }
    }
}

TEST(EpiphanyDmaErrors, NameTheDescriptor) {
    EXPECT_EQ(told([] { dma_start_at(0, 0x7ff0); }),
              "kernel 'mover' on core (2, 1): DMA channel 0, descriptor at 0x7ff0: expected a descriptor of 24 bytes "
              "within the core's memory, 0x0 to 0x7fff, at a multiple of 8");
    EXPECT_EQ(
        told([] {
            DmaDescriptor descriptor = block_descriptor(global_address(0, kThere), kHere, 64);
            descriptor.chains = true;
            descriptor.next = kDmaDescriptorAddress;
            dma_start(0, descriptor);
            dma_wait(0);
        }),
        "kernel 'mover' on core (2, 1): DMA channel 0, descriptor at 0x7f80: expected a chain of descriptors that "
        "ends, found one that is a circle");
    EXPECT_EQ(told([] { dma_start(0, block_descriptor(global_address(0, kThere), 0x7ff8, 64)); }),
              "kernel 'mover' on core (2, 1): DMA channel 0, descriptor at 0x7f80, source: expected 8 bytes within the "
              "core's memory, 0x0 to 0x7fff, found them at 0x8030");
    EXPECT_EQ(
        told([] { dma_start(0, block_descriptor(external_address(0), global_address(0, kHere), 64)); }),
        "kernel 'mover' on core (2, 1): DMA channel 0, descriptor at 0x7f80: expected the memory of a core as the "
        "destination of what is read from elsewhere, found 0x8e000000");
    EXPECT_EQ(told([] { dma_start(2, block_descriptor(global_address(0, kThere), kHere, 64)); }),
              "kernel 'mover' on core (2, 1): dma_start: expected a channel of 0 to 1, found 2");
    EXPECT_EQ(
        told([] { dma_start(0, DmaDescriptor{}); }),
        "kernel 'mover' on core (2, 1): DMA channel 0, descriptor at 0x7f80: expected counts of 1 or more, found 0 "
        "and 1");
    EXPECT_EQ(told([] {
                  dma_start(0, block_descriptor(external_address(0), kHere, 4096));
                  dma_start(0, block_descriptor(external_address(0), kHere, 64));
              }),
              "kernel 'mover' on core (2, 1): dma_start: expected DMA channel 0 to be idle, found it at work");
}

TEST(EpiphanySynchronization, OnlyOneCoreGetsAFreeMutex) {
    EpiphanyMachine machine;
    int inside = 0;
    int most_inside = 0;
    int visits = 0;
    machine.add_kernel_everywhere([&](int) {
        lock_mutex(global_address(0, kThere));
        most_inside = std::max(most_inside, ++inside);
        ++visits;
        instructions(50);
        EpiphanyCore::current().synchronize();
        --inside;
        unlock_mutex(global_address(0, kThere));
    });
    machine.run();
    EXPECT_EQ(visits, 16);
    EXPECT_EQ(most_inside, 1);
}

TEST(EpiphanySynchronization, BarriersHoldAllCoresBack) {
    for (void (*const wait)() : {&barrier, &wired_and_barrier}) {
        EpiphanyMachine machine;
        std::vector<std::uint64_t> reached(16);
        std::vector<std::uint64_t> left(16);
        machine.add_kernel_everywhere([&](int core) {
            for (int round = 0; round < 3; ++round) {
                instructions(core * 20);
                reached[static_cast<std::size_t>(core)] = timer();
                wait();
                left[static_cast<std::size_t>(core)] = timer();
            }
        });
        machine.run();
        EXPECT_GE(*std::ranges::min_element(left), *std::ranges::max_element(reached));
    }
}

TEST(EpiphanySynchronization, TheWiredAndTakesATenthOfAMicrosecond) {
    EpiphanyMachine machine;
    std::vector<std::uint64_t> left(16);
    machine.add_kernel_everywhere([&](int core) {
        wired_and_barrier();
        left[static_cast<std::size_t>(core)] = timer();
    });
    machine.run();
    for (const std::uint64_t cycle : left) {
        EXPECT_EQ(cycle, 41U);  // 60 including a call and a loop, at 600 MHz
    }
}

TEST(EpiphanySynchronization, ABarrierThatACoreNeverReachesIsReported) {
    for (void (*const wait)() : {&barrier, &wired_and_barrier}) {
        EpiphanyMachine machine;
        machine.add_kernel_everywhere([&](int core) {
            if (core != 6) {
                wait();
            }
        });
        const std::string message = without_times(error_message([&] { machine.run(); }));
        const bool is_wired = wait == &wired_and_barrier;
        EXPECT_TRUE(
            message.starts_with("deadlock: nothing moves any more after cycle #\n  kernel 'kernel' on core (0, 0) "
                                "waits since cycle # in "))
            << message;
        EXPECT_NE(
            message.find(is_wired ? "core (3, 3) waits since cycle # in wired_and_barrier, for all other cores to "
                                    "reach the barrier"
                                  : "core (3, 3) waits since cycle # in barrier at 0x00007e40, for another core to "
                                    "write there"),
            std::string::npos)
            << message;
        EXPECT_EQ(message.find("core (2, 1)"), std::string::npos) << message;
    }
}

TEST(EpiphanySynchronization, InterruptsWakeACore) {
    EpiphanyMachine machine;
    std::uint64_t woken = 0;
    machine.add_kernel({0, 0}, [&] {
        wait_for_interrupt();
        woken = timer();
    });
    machine.add_kernel({3, 3}, [] {
        instructions(1000);
        interrupt(0);
    });
    machine.run();
    EXPECT_GT(woken, 1000U);
    EXPECT_LT(woken, 1060U);
}

TEST(EpiphanySynchronization, ACoreInterruptsItselfByEitherAddress) {
    for (const Address own : {Address{0}, Address{0x80800000}}) {
        EpiphanyMachine machine;
        machine.add_kernel({0, 0}, [own] {
            store<std::uint32_t>(own + 0xf042c, 1);
            wait_for_interrupt();
        });
        machine.run();
    }
}

TEST(EpiphanyKernels, BookEveryTick) {
    EpiphanyMachine machine;
    machine.add_kernel_everywhere([](int core) {
        open_zone("all");
        copy(external_address(static_cast<std::uint32_t>(core) * 4096), kHere, 256);
        copy(kThere, global_address((core + 1) % 16, kHere), 64);
        dma_copy(kThere, external_address(0), 128);
        barrier();
        close_zone();
    });
    machine.run();
    for (const KernelResult& kernel : machine.device().kernel_results()) {
        const Zone& zone = kernel.zone("all");
        EXPECT_EQ(zone.ledger.total(), zone.end - zone.start);
        EXPECT_GT(zone.ledger.ticks(Cause::memory), zone.ledger.total() / 3);
    }
}

TEST(EpiphanyKernels, RunTheSameEveryTime) {
    const auto ends = [] {
        EpiphanyMachine machine;
        machine.add_kernel_everywhere([](int core) {
            copy(global_address((core * 7 + 3) % 16, kThere), kHere, 512);
            dma_copy(external_address(static_cast<std::uint32_t>(core) * 4096), kHere, 256);
            copy(kThere, global_address((core * 5 + 1) % 16, kHere), 128);
        });
        machine.run();
        std::vector<Tick> result;
        for (const KernelResult& kernel : machine.device().kernel_results()) {
            result.push_back(kernel.zones.front().end);
        }
        return result;
    };
    EXPECT_EQ(ends(), ends());
}

TEST(EpiphanyKernels, RunOnLargerChipsToo) {
    EpiphanyMachine machine({}, "epiphany_iv_64");
    machine.add_kernel_everywhere([](int core) {
        store<std::uint32_t>(global_address(63 - core, kThere), static_cast<std::uint32_t>(core));
        store<std::uint32_t>(external_address(static_cast<std::uint32_t>(core) * 4),
                             static_cast<std::uint32_t>(core) + 1);
        barrier();
        EXPECT_EQ(load<std::uint32_t>(kThere), static_cast<std::uint32_t>(63 - core));
        EXPECT_EQ(load<std::uint32_t>(external_address(static_cast<std::uint32_t>(core) * 4)),
                  static_cast<std::uint32_t>(core) + 1);
    });
    machine.run();
}

}  // namespace

}  // namespace nocbench
