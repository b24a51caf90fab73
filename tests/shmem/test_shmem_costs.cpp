// Durations of routines, compared with figures of the sources in library_costs.h and of the chip's documentation. All
// PEs call a routine in a loop simultaneously; its duration is the mean over calls and PEs.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "device_model/epiphany/epiphany_core.h"
#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr double kClockGHz = 0.6;
constexpr Address kSync = kData;  // two arrays, used alternately
constexpr Address kSyncBytes = 0x20;
constexpr Address kWork = 0x200;
constexpr Address kSource = 0x2000;
constexpr Address kTarget = 0x4000;

int next_of(const Pe& pe) { return (pe.number() + 1) % pe.num_pes(); }

Address sync_of(int turn) { return kSync + static_cast<Address>(turn % 2) * kSyncBytes; }

/// Returns the mean cycles of one of `turns` calls.
double cycles(int num_pes, const std::function<void(Pe&, int turn)>& call_once, int turns = 16,
              const Options& options = {}) {
    std::vector<double> taken(static_cast<std::size_t>(num_pes));
    run_pes(
        num_pes,
        [&](Pe& pe) {
            call(pe, "shmem_barrier_all");
            const Tick begin = EpiphanyCore::current().now();
            for (int turn = 0; turn < turns; ++turn) {
                constexpr int kArgumentsAndCount = 5;
                epiphany::instructions(kArgumentsAndCount);
                epiphany::taken_branch();  // call
                call_once(pe, turn);
                epiphany::taken_branch();  // return
                epiphany::taken_branch();  // next iteration
            }
            taken[static_cast<std::size_t>(pe.number())] =
                cycles_from_ticks(EpiphanyCore::current().now() - begin) / turns;
            call(pe, "shmem_barrier_all");
        },
        options);
    return std::accumulate(taken.begin(), taken.end(), 0.0) / num_pes;
}

double transfer_cycles(std::string_view name, std::uint32_t bytes) {
    const bool is_blocking = name.find("nbi") == std::string_view::npos;
    constexpr int kTurns = 4;
    return cycles(
        16,
        [=](Pe& pe, int) {
            call(pe, name, kTarget, kSource, bytes, next_of(pe));
            if (!is_blocking) {
                call(pe, "shmem_quiet");
            }
        },
        kTurns);
}

/// Returns the bandwidth of the additional data.
double gigabytes_per_second(double few_cycles, double many_cycles, double more_bytes) {
    return more_bytes / (many_cycles - few_cycles) * kClockGHz;
}

double barrier_cycles(int num_pes, const std::string& name = "shmem_barrier") {
    return cycles(num_pes, [&](Pe& pe, int turn) { call(pe, name, 0, 0, pe.num_pes(), sync_of(turn)); }, 64);
}

TEST(ShmemCosts, APutMovesFourBytesPerCycle) {
    const double few = transfer_cycles("shmem_putmem", 1024);
    const double many = transfer_cycles("shmem_putmem", 8192);
    EXPECT_NEAR(gigabytes_per_second(few, many, 7168), 2.4, 0.03);
    EXPECT_GT(8192 / many * kClockGHz, 2.3);
}

TEST(ShmemCosts, APutOfMoreTakesNoLess) {
    double before = 0;
    for (std::uint32_t bytes = 1; bytes <= 8192; bytes *= 2) {
        const double now = transfer_cycles("shmem_putmem", bytes);
        EXPECT_GE(now, before - 0.5) << bytes;
        before = now;
    }
}

TEST(ShmemCosts, AGetIsAboutAnOrderOfMagnitudeSlower) {
    const double ratio = transfer_cycles("shmem_getmem", 8192) / transfer_cycles("shmem_putmem", 8192);
    EXPECT_GT(ratio, 8);
    EXPECT_LT(ratio, 15);
}

TEST(ShmemCosts, MisalignedBytesTakeTwoCyclesEach) {
    const auto misaligned = [](std::uint32_t bytes) {
        return cycles(16, [=](Pe& pe, int) { call(pe, "shmem_putmem", kTarget + 1, kSource, bytes, next_of(pe)); });
    };
    EXPECT_NEAR((misaligned(2048) - misaligned(1024)) / 1024, 2, 0.05);
}

TEST(ShmemCosts, DmaStaysBelowHalfOfADwordPerCycleAndStartsSlowly) {
    for (std::uint32_t bytes = 8; bytes <= 8192; bytes *= 4) {
        const double taken = transfer_cycles("shmem_putmem_nbi", bytes);
        EXPECT_LT(bytes / taken * kClockGHz, 2.4) << bytes;
        EXPECT_GT(taken, transfer_cycles("shmem_putmem", bytes)) << bytes;
    }
    // An odd size takes eight times as long.
    EXPECT_GT(transfer_cycles("shmem_putmem_nbi", 1023), 5 * transfer_cycles("shmem_putmem_nbi", 1024));
}

TEST(ShmemCosts, ABarrierTakesTheSameForEachDoubling) {
    EXPECT_NEAR(barrier_cycles(16), 138, 138 * 0.05);  // 0.23 us at 600 MHz
    const double round = (barrier_cycles(16) - barrier_cycles(4)) / 2;
    for (const int num_pes : {3, 5, 6, 9, 12}) {
        const int rounds = num_pes <= 4 ? 2 : num_pes <= 8 ? 3 : 4;
        EXPECT_NEAR(barrier_cycles(num_pes), barrier_cycles(16) - (4 - rounds) * round, 0.25 * round) << num_pes;
    }
}

TEST(ShmemCosts, BarriersOfMoreThanEightPesAreAlike) {
    constexpr double kOfThePaper = 138;  // 0.23 us at 600 MHz
    std::vector<double> taken;
    for (int num_pes = 9; num_pes <= 16; ++num_pes) {
        taken.push_back(barrier_cycles(num_pes));
        // PEs have partners at different distances; 15 PEs take longest.
        EXPECT_NEAR(taken.back(), kOfThePaper, kOfThePaper * 0.05) << num_pes;
    }
    const double mean = std::accumulate(taken.begin(), taken.end(), 0.0) / static_cast<double>(taken.size());
    EXPECT_NEAR(mean, kOfThePaper, kOfThePaper * 0.02);
}

TEST(ShmemCosts, TheBarrierOfTheChipTakesATenthOfAMicrosecond) {
    for (const int num_pes : {2, 16}) {
        Options options;
        options.wand_barrier = true;
        const double taken = cycles(num_pes, [](Pe& pe, int) { call(pe, "shmem_barrier_all"); }, 16, options);
        EXPECT_NEAR(taken, 60, 30) << num_pes;
    }
}

TEST(ShmemCosts, BroadcastsGoAlongATree) {
    for (int levels = 1; levels <= 4; ++levels) {
        const auto broadcast = [&](std::uint32_t bytes) {
            return cycles(1 << levels, [=](Pe& pe, int turn) {
                call(pe, "shmem_broadcast64", kTarget, kSource, bytes / 8, 0, 0, 0, pe.num_pes(), sync_of(turn));
            });
        };
        EXPECT_NEAR(gigabytes_per_second(broadcast(4096), broadcast(8192), 4096), 2.4 / levels, 0.03 * 2.4 / levels)
            << levels;
    }
}

double atomic_cycles(std::string_view name, bool unlocked_set = false, int num_pes = 2) {
    Options options;
    options.unlocked_set = unlocked_set;
    return cycles(num_pes, [=](Pe& pe, int turn) { call(pe, name, kData, turn, next_of(pe)); }, 16, options);
}

TEST(ShmemCosts, AtomicOperationsUnderALockTakeLongest) {
    const double set = atomic_cycles("shmem_int_set", true);
    const double fetch = cycles(2, [](Pe& pe, int) { call(pe, "shmem_int_fetch", kData, next_of(pe)); });
    const double add = atomic_cycles("shmem_int_fadd");
    EXPECT_LT(set, fetch);
    EXPECT_LT(fetch, add);
    EXPECT_NEAR(add, 95, 25);
    const auto compare = [](int condition) {
        return cycles(2, [=](Pe& pe, int) { call(pe, "shmem_int_cswap", kData, condition, 0, next_of(pe)); });
    };
    EXPECT_LT(compare(1), compare(0));
}

TEST(ShmemCosts, AReductionStepsWhereItsWorkArrayEnds) {
    const auto sum = [](int elements) {
        return cycles(16, [=](Pe& pe, int turn) {
            call(pe, "shmem_int_sum_to_all", kTarget, kSource, elements, 0, 0, pe.num_pes(), kWork, sync_of(turn));
        });
    };
    EXPECT_GT(sum(17) - sum(16), 4 * (sum(16) - sum(15)));
}

TEST(ShmemCosts, CollectsAreLinearAndFcollectsAreNot) {
    const auto collect = [](const std::string& name, int num_pes) {
        return cycles(
            num_pes, [&](Pe& pe, int turn) { call(pe, name, kTarget, kSource, 1, 0, 0, pe.num_pes(), sync_of(turn)); });
    };
    EXPECT_LT(collect("shmem_fcollect64", 16), collect("shmem_collect64", 16));
    const double doubled = collect("shmem_collect64", 16) / collect("shmem_collect64", 8);
    EXPECT_GT(doubled, 1.6);
    EXPECT_LT(doubled, 2.4);
}

}  // namespace

}  // namespace nocbench::shmem
