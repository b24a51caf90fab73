// Gets that the owner of the data executes in an interrupt.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kSource = kData + 0x100;
constexpr Address kDestination = kData + 0x2100;

Options by_interrupt(bool wand_barrier = false) {
    Options options;
    options.ipi_get = true;
    options.wand_barrier = wand_barrier;
    return options;
}

std::vector<std::byte> data_of(int number, std::uint32_t bytes) {
    return nocbench::test::distinct_bytes(bytes, static_cast<unsigned>(number) + 3);
}

void get_and_compare(Pe& pe, int from, std::uint32_t bytes, Address shift) {
    set_values(pe, kDestination, std::vector<std::byte>(bytes + 16));
    call(pe, "shmem_getmem", kDestination + shift, kSource, bytes, from);
    std::vector<std::byte> expected = data_of(from, bytes);
    expected.insert(expected.begin(), shift, std::byte{0});
    expected.resize(bytes + 16);
    EXPECT_EQ(values_at<std::byte>(pe, kDestination, bytes + 16), expected) << bytes << " bytes of PE " << from;
}

TEST(ShmemInterrupts, GetsOfEverySizeAreRight) {
    for (const int num_pes : {1, 2, 5, 16}) {
        for (const bool wand_barrier : {false, true}) {
            run_pes(
                num_pes,
                [&](Pe& pe) {
                    Chance chance(pe, 3);
                    set_values(pe, kSource, data_of(pe.number(), 2048));
                    call(pe, "shmem_barrier_all");
                    for (std::uint32_t turn = 0; turn < 40; ++turn) {
                        chance.delay();
                        const std::uint32_t bytes = turn < 20 ? 56 + turn : chance.below(2000);
                        // All PEs get from one PE, from the next PE, or from a random PE.
                        const int from = turn % 3 == 0   ? 0
                                         : turn % 3 == 1 ? (pe.number() + 1) % num_pes
                                                         : static_cast<int>(chance.below(1000)) % num_pes;
                        get_and_compare(pe, from, bytes, turn % 8);
                        if (turn % 5 == 0) {
                            call(pe, "shmem_barrier_all");
                        }
                    }
                    call(pe, "shmem_finalize");
                },
                by_interrupt(wand_barrier));
        }
    }
}

/// Returns the owner's cycles for `busy`, with or without a get of 1024 bytes.
std::uint64_t owner_cycles(const std::function<void(Pe&)>& busy, bool with_get, std::uint64_t get_cycles_max = 700) {
    std::uint64_t cycles = 0;
    run_pes(
        2,
        [&](Pe& pe) {
            set_values(pe, kSource, data_of(pe.number(), 1024));
            call(pe, "shmem_barrier_all");
            if (pe.number() == 0) {
                const std::uint64_t begin = epiphany::timer();
                busy(pe);
                cycles = epiphany::timer() - begin;
            } else {
                epiphany::instructions(1000);
                if (with_get) {
                    const std::uint64_t begin = epiphany::timer();
                    get_and_compare(pe, 0, 1024, 0);
                    EXPECT_LT(epiphany::timer() - begin, get_cycles_max);
                }
                epiphany::instructions(5000);
                call(pe, "shmem_int_p", kData, 1, 0);
            }
            call(pe, "shmem_barrier_all");
        },
        by_interrupt());
    return cycles;
}

TEST(ShmemInterrupts, TheOwnerLosesTheTimeOfTheCopy) {
    const auto expect_delay = [](const std::function<void(Pe&)>& busy) {
        const std::uint64_t delay = owner_cycles(busy, true) - owner_cycles(busy, false);
        EXPECT_GE(delay, 1024U / 4 + 20);
        EXPECT_LE(delay, 1024U / 4 + 150);
    };
    expect_delay([](Pe& /*pe*/) { epiphany::instructions(20000); });
    expect_delay([](Pe& /*pe*/) {
        for (int step = 0; step < 2000; ++step) {
            epiphany::instructions(5);
            static_cast<void>(epiphany::load<std::uint32_t>(kData));
        }
    });
    expect_delay([](Pe& pe) {
        for (int step = 0; step < 20; ++step) {
            call(pe, "shmem_putmem", kDestination + 0x800, kSource, 1000, 1);
        }
    });
}

TEST(ShmemInterrupts, AnOwnerThatWaitsLosesNothing) {
    const auto wait = [](Pe& pe) { call(pe, "shmem_int_wait", kData, 0); };
    const std::uint64_t without = owner_cycles(wait, false);
    const std::uint64_t with = owner_cycles(wait, true);
    // The owner resumes its wait after the get.
    EXPECT_GT(with, without);
    EXPECT_LT(with, without + 700);
}

TEST(ShmemInterrupts, AnOwnerThatWaitsForItsDmaAnswers) {
    const auto move = [](Pe& pe) {
        for (int turn = 0; turn < 4; ++turn) {
            call(pe, "shmem_putmem_nbi", kDestination + 0x800, kSource, 0x1001, 1);
            call(pe, "shmem_quiet");
        }
    };
    EXPECT_GT(owner_cycles(move, false), 20000U);
    EXPECT_GT(owner_cycles(move, true, 1500), 20000U);
}

TEST(ShmemInterrupts, NobodyLeavesTheBarrierOfTheChipTooEarly) {
    int entered = 0;
    run_pes(
        8,
        [&](Pe& pe) {
            Chance chance(pe, 5);
            set_values(pe, kSource, data_of(pe.number(), 512));
            call(pe, "shmem_barrier_all");
            for (int turn = 1; turn <= 20; ++turn) {
                if (pe.number() == turn % 8) {
                    chance.delay();
                    get_and_compare(pe, (pe.number() + turn) % 8, 300, 0);
                }
                epiphany::synchronize();
                ++entered;
                call(pe, "shmem_barrier_all");
                epiphany::synchronize();
                EXPECT_GE(entered, 8 * turn);
                call(pe, "shmem_sync_all");
            }
        },
        by_interrupt(true));
}

TEST(ShmemInterrupts, OfPesThatHaveEnded) {
    run_pes(
        6,
        [&](Pe& pe) {
            Chance chance(pe, 7);
            set_values(pe, kSource, data_of(pe.number(), 1024));
            call(pe, "shmem_barrier_all");
            // The first PEs end while others still request their data.
            for (int turn = 0; turn < pe.number() * 3; ++turn) {
                get_and_compare(pe, turn % 6, 600, 0);
                chance.delay();
            }
        },
        by_interrupt());
}

double get_cycles(std::uint32_t bytes, bool ipi_get) {
    double cycles = 0;
    Options options;
    options.ipi_get = ipi_get;
    options.ipi_get_turnover_bytes = 0;
    run_pes(
        16,
        [&](Pe& pe) {
            call(pe, "shmem_barrier_all");
            const std::uint64_t begin = epiphany::timer();
            for (int turn = 0; turn < 16; ++turn) {
                call(pe, "shmem_getmem", kDestination, kSource, bytes, (pe.number() + 1) % 16);
            }
            cycles += static_cast<double>(epiphany::timer() - begin) / 256;
            call(pe, "shmem_barrier_all");
        },
        options);
    return cycles;
}

TEST(ShmemInterrupts, TheyAreWorthItForManyBytes) {
    // The paper's library uses interrupts above 64 bytes.
    EXPECT_GT(get_cycles(32, true), get_cycles(32, false));
    EXPECT_LT(get_cycles(128, true), get_cycles(128, false));
}

}  // namespace

}  // namespace nocbench::shmem
