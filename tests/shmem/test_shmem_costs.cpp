// How long routines take, as the paper tells it: Ross and Richie, An OpenSHMEM Implementation for the Adapteva Epiphany
// Coprocessor, 2016. 600 MHz: a cycle for 1.667 ns, 2.4 GB/s for 4 bytes per cycle.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kSync = kData;
constexpr Address kOtherSync = kData + 0x20;
constexpr Address kWork = kData + 0x100;
constexpr Address kSource = 0x2000;
constexpr Address kDestination = 0x4000;

/// Mean over PEs and turns of a loop of calls that all of them do at once.
double cycles_of(int num_pes, const std::function<void(Pe&, int turn)>& turn, int num_turns = 32) {
    std::vector<double> cycles;
    run_pes(num_pes, [&](Pe& pe) {
        call(pe, "shmem_barrier_all");
        turn(pe, 0);
        turn(pe, 1);
        const std::uint64_t begin = epiphany::timer();
        for (int number = 0; number < num_turns; ++number) {
            // The arguments, the jumps to the routine and back, the loop.
            constexpr int kInstructions = 5;
            constexpr int kTakenBranches = 3;
            epiphany::instructions(kInstructions);
            for (int branch = 0; branch < kTakenBranches; ++branch) {
                epiphany::taken_branch();
            }
            turn(pe, number);
        }
        cycles.push_back(static_cast<double>(epiphany::timer() - begin) / num_turns);
        call(pe, "shmem_barrier_all");
    });
    return std::accumulate(cycles.begin(), cycles.end(), 0.0) / static_cast<double>(cycles.size());
}

/// Of a transfer to or from the next of 16 PEs.
double transfer_cycles(const std::string& name, std::uint32_t bytes) {
    return cycles_of(
        16,
        [&](Pe& pe, int /*turn*/) {
            call(pe, name, kDestination, kSource, bytes, (pe.number() + 1) % 16);
            if (name.ends_with("_nbi")) {
                call(pe, "shmem_quiet");
            }
        },
        8);
}

TEST(ShmemCosts, PutsMoveFourBytesPerCycle) {
    const double slope = (transfer_cycles("shmem_putmem", 8192) - transfer_cycles("shmem_putmem", 4096)) / 4096;
    EXPECT_NEAR(slope, 0.25, 0.25 * 0.03);
    // Their start is the rest.
    EXPECT_NEAR(transfer_cycles("shmem_putmem", 4096) - 4096 / 4, 45, 15);
}

TEST(ShmemCosts, GetsTakeAboutTenTimesAsLong) {
    const double ratio = transfer_cycles("shmem_getmem", 4096) / transfer_cycles("shmem_putmem", 4096);
    EXPECT_GT(ratio, 8);
    EXPECT_LT(ratio, 15);
}

TEST(ShmemCosts, DmaStartsLaterAndIsSlower) {
    EXPECT_GT(transfer_cycles("shmem_putmem_nbi", 8), transfer_cycles("shmem_putmem", 8) + 50);
    const double large = transfer_cycles("shmem_putmem_nbi", 8192);
    EXPECT_GT(large, 8192 / 4);
    EXPECT_LT(large, 8192);
    EXPECT_LT(transfer_cycles("shmem_getmem_nbi", 4096), transfer_cycles("shmem_getmem", 4096));
}

TEST(ShmemCosts, MisalignedPutsMoveBytes) {
    const auto cycles = [](std::uint32_t bytes) {
        return cycles_of(16, [&](Pe& pe, int /*turn*/) {
            call(pe, "shmem_putmem", kDestination + 1, kSource, bytes, (pe.number() + 1) % 16);
        });
    };
    EXPECT_NEAR((cycles(2048) - cycles(1024)) / 1024, 2, 0.05);
}

double barrier_cycles(int num_pes) {
    return cycles_of(num_pes, [&](Pe& pe, int turn) {
        call(pe, "shmem_barrier", 0, 0, num_pes, turn % 2 == 0 ? kSync : kOtherSync);
    });
}

TEST(ShmemCosts, BarriersTakeARoundForEachBit) {
    constexpr double kOfNineOrMore = 138;  // 0.23 us
    std::vector<double> cycles(17);
    for (int num_pes = 2; num_pes <= 16; ++num_pes) {
        cycles[static_cast<std::size_t>(num_pes)] = barrier_cycles(num_pes);
    }
    for (std::size_t num_pes = 9; num_pes <= 16; ++num_pes) {
        EXPECT_NEAR(cycles[num_pes], kOfNineOrMore, kOfNineOrMore * 0.05) << num_pes;
    }
    // As much more for every doubling.
    const double round = (cycles[16] - cycles[2]) / 3;
    EXPECT_NEAR(round, kOfNineOrMore / 5, 3);
    EXPECT_NEAR(cycles[4] - cycles[2], round, 3);
    EXPECT_NEAR(cycles[8] - cycles[4], round, 3);
}

TEST(ShmemCosts, TheBarrierOfTheChipIsFaster) {
    Options options;
    options.wand_barrier = true;
    run_pes(
        16,
        [](Pe& pe) {
            call(pe, "shmem_barrier_all");
            const std::uint64_t begin = epiphany::timer();
            call(pe, "shmem_barrier_all");
            EXPECT_LT(epiphany::timer() - begin, 80U);  // 0.1 us and the call
        },
        options);
}

double broadcast_cycles(int num_pes, std::uint32_t bytes) {
    return cycles_of(
        num_pes,
        [&](Pe& pe, int turn) {
            call(pe, "shmem_broadcast64", kDestination, kSource, bytes / 8, 0, 0, 0, num_pes,
                 turn % 2 == 0 ? kSync : kOtherSync);
            // So that each one begins when the one before is over.
            call(pe, "shmem_barrier", 0, 0, num_pes, kWork);
        },
        8);
}

TEST(ShmemCosts, BroadcastsTakeAPutForEachBit) {
    for (const int num_pes : {2, 4, 8, 16}) {
        const double slope = (broadcast_cycles(num_pes, 8192) - broadcast_cycles(num_pes, 2048)) / (8192 - 2048);
        const double expected = 0.25 * std::bit_width(static_cast<unsigned>(num_pes - 1));
        EXPECT_NEAR(slope, expected, expected * 0.05) << num_pes;
    }
}

double sum_cycles(std::uint32_t count) {
    return cycles_of(16, [&](Pe& pe, int turn) {
        call(pe, "shmem_int_sum_to_all", kDestination, kSource, count, 0, 0, 16, kWork,
             turn % 2 == 0 ? kSync : kOtherSync);
    });
}

TEST(ShmemCosts, ReductionsOfMoreThanTheWorkArrayTakeTwoTurns) {
    const double below = sum_cycles(16) - sum_cycles(15);
    const double step = sum_cycles(17) - sum_cycles(16);
    EXPECT_LT(below, 100);
    EXPECT_GT(step, 4 * below);
    EXPECT_LT(std::abs(sum_cycles(19) - sum_cycles(17)), 200);
}

}  // namespace

}  // namespace nocbench::shmem
