// Symmetric heap, and the C library's heap.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kHeapBegin = kLayout.program_end;
constexpr Address kMemoryEnd = 0x8000;

Address allocate(Pe& pe, std::uint32_t bytes) { return call(pe, "shmem_malloc", bytes); }

TEST(ShmemHeap, FirstBlocksFollowEachOther) {
    run_pes(3, [](Pe& pe) {
        EXPECT_EQ(allocate(pe, 1), kHeapBegin);
        EXPECT_EQ(allocate(pe, 9), kHeapBegin + 8);
        EXPECT_EQ(allocate(pe, 8), kHeapBegin + 24);
        EXPECT_EQ(allocate(pe, 0), 0U);
        EXPECT_EQ(call(pe, "shmem_align", 256, 3), kHeapBegin + 256);
        // The block fits the hole before the aligned block.
        EXPECT_EQ(call(pe, "shmem_align", 4, 8), kHeapBegin + 32);
        call(pe, "shmem_barrier_all");
    });
}

/// The first hole of each pair would also fit.
TEST(ShmemHeap, ABlockGoesIntoTheSmallestHoleThatWillDo) {
    run_pes(2, [](Pe& pe) {
        std::vector<Address> blocks;
        for (const std::uint32_t bytes : {64U, 8U, 32U, 8U, 48U, 8U}) {
            blocks.push_back(allocate(pe, bytes));
        }
        for (const std::size_t freed : {0U, 2U, 4U}) {
            call(pe, "shmem_free", blocks[freed]);
        }
        EXPECT_EQ(allocate(pe, 32), blocks[2]) << "where it fits exactly";
        EXPECT_EQ(allocate(pe, 40), blocks[4]) << "and where least is left";
        EXPECT_EQ(allocate(pe, 40), blocks[0]);
        call(pe, "shmem_barrier_all");
    });
}

TEST(ShmemHeap, BeginsWhereAnOptionSays) {
    Options options;
    options.heap_start = 0x6803;
    run_pes(2, [](Pe& pe) { EXPECT_EQ(allocate(pe, 4), 0x6808U); }, options);
}

/// Allocates, resizes and frees blocks of random sizes in random order, each filled with its number.
void use_heap_at_random(Pe& pe, unsigned seed) {
    Chance chance(pe, seed);
    std::minstd_rand common(seed);  // equal on all PEs
    common.discard(5);
    std::map<Address, std::vector<std::uint8_t>> blocks;
    const auto fill = [&](Address block, std::uint32_t bytes) {
        std::vector<std::uint8_t>& values = blocks[block];
        values.resize(bytes);
        for (std::uint8_t& value : values) {
            value = static_cast<std::uint8_t>(chance.below(256));
        }
        set_values(pe, block, values);
    };
    for (int turn = 0; turn < 120; ++turn) {
        chance.delay();
        const std::uint32_t what = static_cast<std::uint32_t>(common()) % 8;
        const std::uint32_t bytes = 1 + static_cast<std::uint32_t>(common()) % 600;
        if (what < 4 || blocks.empty()) {
            const std::uint32_t alignment = what == 0 ? 4U << (common() % 7) : 8;
            const Address block =
                what == 0 ? call(pe, "shmem_align", alignment, bytes) : call(pe, "shmem_malloc", bytes);
            ASSERT_EQ(block % std::max(alignment, 8U), 0U);
            if (block != 0) {
                ASSERT_GE(block, kHeapBegin);
                ASSERT_LE(block + bytes, kMemoryEnd - 1024);
                for (const auto& [other, values] : blocks) {
                    ASSERT_TRUE(block + bytes <= other || other + values.size() <= block);
                }
                fill(block, bytes);
            }
            continue;
        }
        const auto chosen = std::next(blocks.begin(), static_cast<int>(common() % blocks.size()));
        const auto [block, values] = *chosen;
        ASSERT_EQ(values_at<std::uint8_t>(pe, block, values.size()), values);
        if (what < 6) {
            call(pe, "shmem_free", block);
            blocks.erase(chosen);
            continue;
        }
        const Address moved = call(pe, "shmem_realloc", block, bytes);
        if (moved != 0) {
            const std::size_t kept = std::min<std::size_t>(values.size(), bytes);
            ASSERT_EQ(values_at<std::uint8_t>(pe, moved, kept),
                      std::vector<std::uint8_t>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(kept)));
            blocks.erase(chosen);
            fill(moved, bytes);
        }
    }
    call(pe, "shmem_finalize");
}

TEST(ShmemHeap, BlocksDoNotMeetWhateverTheOrder) {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        run_pes(1 + static_cast<int>(seed) % 4, [&](Pe& pe) { use_heap_at_random(pe, seed); });
    }
}

TEST(ShmemHeap, ReallocationStaysMovesAndEnds) {
    run_pes(2, [](Pe& pe) {
        const Address first = allocate(pe, 16);
        set_value<std::uint64_t>(pe, first, 77 + static_cast<std::uint64_t>(pe.number()));
        EXPECT_EQ(call(pe, "shmem_realloc", first, 800), first);  // the last block grows in place
        const Address second = allocate(pe, 8);
        EXPECT_EQ(call(pe, "shmem_realloc", first, 400), first);
        const Address third = call(pe, "shmem_realloc", first, 1000);
        EXPECT_EQ(third, second + 8);
        EXPECT_EQ(value_at<std::uint64_t>(pe, third), 77 + static_cast<std::uint64_t>(pe.number()));
        // If the requested size is too large, the block stays unchanged.
        EXPECT_EQ(call(pe, "shmem_realloc", third, 100000), 0U);
        EXPECT_EQ(value_at<std::uint64_t>(pe, third), 77 + static_cast<std::uint64_t>(pe.number()));
        EXPECT_EQ(call(pe, "shmem_realloc", third, 0), 0U);
        EXPECT_EQ(call(pe, "shmem_realloc", 0, 24), kHeapBegin);
        call(pe, "shmem_barrier_all");
    });
}

TEST(ShmemHeap, EndsBelowTheStackAndPrivateBlocks) {
    run_pes(3, [](Pe& pe) {
        const std::uint32_t all = kMemoryEnd - kLayout.stack_bytes - 1024 - kHeapBegin;
        EXPECT_EQ(allocate(pe, all + 1), 0U);
        EXPECT_EQ(allocate(pe, UINT32_MAX), 0U);
        EXPECT_EQ(call(pe, "shmem_align", 0x80000000U, 8), 0U);
        EXPECT_EQ(call(pe, "shmem_calloc", 0x10000U, 0x10000U), 0U);
        const Address block = allocate(pe, all);
        EXPECT_EQ(block, kHeapBegin);
        call(pe, "shmem_free", block);
        // A private block on one PE limits the symmetric heap of all PEs.
        const Address mine = pe.number() == 1 ? pe.allocate_private(100) : 0;
        EXPECT_EQ(allocate(pe, all), 0U);
        // A quarter of the free memory is reserved for the PE's stack.
        const std::uint32_t reserve = (all + 1024 - 100) / 4;
        const std::uint32_t below = (all + 1024 - reserve) / 8 * 8 - 104;
        EXPECT_EQ(allocate(pe, below + 1), 0U);
        EXPECT_EQ(allocate(pe, below), kHeapBegin);
        if (pe.number() == 1) {
            EXPECT_EQ(mine, kHeapBegin + below);
            // A block that fits nowhere else takes part of the reserved memory, down to the minimum size of a stack.
            EXPECT_EQ(pe.allocate_private(reserve), 0U);
            EXPECT_GE(pe.allocate_private((reserve - 1024) / 8 * 8), mine + 104);
        }
        call(pe, "shmem_barrier_all");
    });
}

TEST(ShmemHeap, PrivateBlocksAtMultiplesOfMore) {
    run_pes(2, [](Pe& pe) {
        for (const std::uint32_t alignment : {1U, 8U, 64U, 1024U}) {
            const Address block = call(pe, "aligned_alloc", alignment, 24);
            EXPECT_NE(block, 0U);
            EXPECT_EQ(block % std::max(alignment, 8U), 0U);
        }
    });
    EXPECT_EQ(complaint_of(1, [](Pe& pe) { call(pe, "aligned_alloc", 24, 8); }),
              "aligned_alloc: expected an alignment that is a power of two, found 24");
}

TEST(ShmemHeap, ZeroedBlocks) {
    run_pes(4, [](Pe& pe) {
        const Address before = allocate(pe, 64);
        set_values(pe, before, nocbench::test::distinct_bytes(64));
        call(pe, "shmem_free", before);
        const Address block = call(pe, "shmem_calloc", 8, 7);
        EXPECT_EQ(block, before);
        EXPECT_EQ(values_at<std::byte>(pe, block, 56), std::vector<std::byte>(56));
        // Zeroing by one PE must not overwrite a put by another.
        call(pe, "shmem_int_p", block, 5, (pe.number() + 1) % 4);
        call(pe, "shmem_barrier_all");
        EXPECT_EQ(value_at<std::int32_t>(pe, block), 5);
    });
}

TEST(ShmemHeap, AllocationIsABarrier) {
    int entered = 0;
    int left = 0;
    run_pes(9, [&](Pe& pe) {
        Chance chance(pe);
        for (int turn = 1; turn <= 10; ++turn) {
            chance.delay();
            epiphany::synchronize();
            ++entered;
            const Address block = allocate(pe, 40);
            epiphany::synchronize();
            EXPECT_EQ(entered, 9 * turn);
            chance.delay();
            epiphany::synchronize();
            ++left;
            call(pe, "shmem_free", block);
            epiphany::synchronize();
            EXPECT_EQ(left, 9 * turn);
            call(pe, "shmem_barrier_all");
        }
    });
}

TEST(ShmemHeap, APointerOnlyIsMovedByFrees) {
    Options options;
    options.bump_heap = true;
    const NativeRun run = run_pes(
        2,
        [](Pe& pe) {
            const Address first = allocate(pe, 8);
            const Address second = allocate(pe, 8);
            EXPECT_EQ(call(pe, "shmem_realloc", second, 20), second);
            EXPECT_EQ(allocate(pe, 8), second + 24);
            call(pe, "shmem_free", first);
            // The free moves the heap's end back, so this block overlaps the second one.
            EXPECT_EQ(allocate(pe, 16), first);
            call(pe, "shmem_barrier_all");
        },
        options);
    EXPECT_EQ(run.warnings,
              std::vector<std::string>{"a block of 16 bytes was allocated at 0x6000 after the one of 8 bytes at 0x6000 "
                                       "had been freed, which was not the last one: with a heap that is a pointer "
                                       "only, what lies behind it is overwritten"});
}

TEST(ShmemHeap, APointerOnlyIsFineWithFreesInReverse) {
    Options options;
    options.bump_heap = true;
    const NativeRun run = run_pes(
        2,
        [](Pe& pe) {
            const Address first = allocate(pe, 8);
            const Address second = allocate(pe, 80);
            call(pe, "shmem_free", second);
            call(pe, "shmem_free", first);
            EXPECT_EQ(allocate(pe, 16), first);
            call(pe, "shmem_barrier_all");
        },
        options);
    EXPECT_TRUE(run.warnings.empty());
}

TEST(ShmemHeap, PrivateBlocksDifferFromPeToPe) {
    run_pes(4, [](Pe& pe) {
        const auto bytes = static_cast<std::uint32_t>(pe.number()) * 24 + 8;
        const Address first = pe.allocate_private(bytes);
        const Address second = pe.allocate_private(8);
        EXPECT_EQ(second + 8, first);
        set_value<std::uint32_t>(pe, first, 9);
        pe.free_private(second);
        EXPECT_EQ(pe.allocate_private(8), second);
        const Address moved = pe.reallocate_private(first, bytes + 8);
        EXPECT_LT(moved, second);
        EXPECT_EQ(value_at<std::uint32_t>(pe, moved), 9U);
        EXPECT_EQ(pe.reallocate_private(moved, 4), moved);
        const Address zeroed = pe.allocate_private_zeroed(3, 5);
        EXPECT_EQ(values_at<std::byte>(pe, zeroed, 15), std::vector<std::byte>(15));
        EXPECT_EQ(pe.allocate_private(1000000), 0U);
        EXPECT_EQ(allocate(pe, 8), kHeapBegin);
        pe.free_private(0);
        call(pe, "shmem_barrier_all");
    });
}

}  // namespace

}  // namespace nocbench::shmem
