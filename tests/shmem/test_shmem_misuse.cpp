// Error messages for invalid routine calls.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/shmem/pes.h"
#include "tests/support/error_message.h"

namespace nocbench::shmem {

namespace {

using namespace test;
using nocbench::test::without_times;

constexpr Address kSync = kData;
constexpr Address kArray = kData + 0x100;

struct Misuse {
    std::function<void(Pe&)> program;
    std::string complaint;
    int num_pes = 2;
};

void expect_complaints(const std::vector<Misuse>& table) {
    for (const Misuse& misuse : table) {
        EXPECT_EQ(without_times(complaint_of(misuse.num_pes, misuse.program)), misuse.complaint);
    }
}

TEST(ShmemMisuse, PesAndAddresses) {
    expect_complaints({
        {[](Pe& pe) { call(pe, "shmem_int_p", kArray, 1, 2); }, "shmem_int_p: expected a PE from 0 to 1, found 2"},
        {[](Pe& pe) { call(pe, "shmem_getmem", kArray, kArray, 1, -1); },
         "shmem_getmem: expected a PE from 0 to 1, found -1"},
        {[](Pe& pe) { call(pe, "shmem_int_finc", kArray, 7); }, "shmem_int_finc: expected a PE from 0 to 1, found 7"},
        {[](Pe& pe) { call(pe, "shmem_ptr", kArray, 2); }, "shmem_ptr: expected a PE from 0 to 1, found 2"},
        {[](Pe& pe) { call(pe, "shmem_putmem", 0, kArray, 4, 1); },
         "shmem_putmem: expected dest to be an address, found null"},
        {[](Pe& pe) { call(pe, "shmem_putmem", kArray, 0, 4, 1); },
         "shmem_putmem: expected source to be an address, found null"},
        {[](Pe& pe) { call(pe, "shmem_int_p", kArray + 2, 1, 1); },
         "shmem_int_p: expected dest at a multiple of 4, found 0x202"},
        {[](Pe& pe) { call(pe, "shmem_longlong_add", kArray + 4, std::int64_t{1}, 1); },
         "shmem_longlong_add: expected dest at a multiple of 8, found 0x204"},
        {[](Pe& pe) { call(pe, "shmem_int_wait", kArray + 1, 0); },
         "shmem_int_wait: expected ivar at a multiple of 4, found 0x201"},
        {[](Pe& pe) { call(pe, "shmem_putmem", 0x7ff0, kArray, 4, 1); },
         "shmem_putmem: expected dest to be symmetric, in the program's data or in a block of the heap, found 0x7ff0, "
         "on the stack"},
        {[](Pe& pe) { call(pe, "shmem_getmem", kArray, 0x7000, 4, 1); },
         "shmem_getmem: expected source to be symmetric, in the program's data or in a block of the heap, found "
         "0x7000"},
        {[](Pe& pe) { call(pe, "shmem_putmem", pe.allocate_private(8), kArray, 4, 1); },
         "shmem_putmem: expected dest to be symmetric, in the program's data or in a block of the heap, found 0x77c8, "
         "in a block of malloc"},
        {[](Pe& pe) { call(pe, "shmem_putmem", epiphany::global_address(1 - pe.number(), kArray), kArray, 4, 1); },
         "shmem_putmem: expected dest to be symmetric, in the program's data or in a block of the heap, found "
         "0x80900200"},
        {[](Pe& pe) { call(pe, "shmem_putmem", 0x5ffc, kArray, 8, 1); },
         "shmem_putmem: expected dest within the program's data, which end at 0x6000, found 8 bytes at 0x5ffc"},
        {[](Pe& pe) { call(pe, "shmem_putmem", kArray, 0x7ffc, 8, 1); },
         "shmem_putmem: expected source within the core's memory, 0x0 to 0x7fff, found 8 bytes at 0x7ffc"},
        {[](Pe& pe) { call(pe, "shmem_double_iput", kArray, kArray, 0, 1, 4, 1); },
         "shmem_double_iput: expected strides of 1 or more, found 0 and 1"},
        {[](Pe& pe) { call(pe, "shmem_int_iget", kArray, kArray, 1, -2, 4, 1); },
         "shmem_int_iget: expected strides of 1 or more, found 1 and -2"},
        {[](Pe& pe) { call(pe, "shmem_int_wait_until", kArray, 6, 0); },
         "shmem_int_wait_until: expected a comparison from SHMEM_CMP_EQ, 0, to SHMEM_CMP_LE, 5, found 6"},
    });
}

TEST(ShmemMisuse, Blocks) {
    expect_complaints({
        {[](Pe& pe) { call(pe, "shmem_putmem", call(pe, "shmem_malloc", 100000), kArray, 4, 1); },
         "shmem_putmem: expected dest to be an address, found null, which an allocation has returned before: the heap "
         "was full"},
        {[](Pe& pe) { call(pe, "shmem_putmem", call(pe, "shmem_malloc", 10) + 4, kArray, 7, 1); },
         "shmem_putmem: expected dest within the block of 10 bytes at 0x6000, found 7 bytes at 0x6004"},
        {[](Pe& pe) { call(pe, "shmem_getmem", call(pe, "shmem_malloc", 10), kArray, 11, 1); },
         "shmem_getmem: expected dest within the block of 10 bytes at 0x6000, found 11 bytes at 0x6000"},
        {[](Pe& pe) {
             const Address block = call(pe, "shmem_malloc", 8);
             call(pe, "shmem_free", block);
             call(pe, "shmem_free", block);
         },
         "shmem_free: expected the address of a block, found 0x6000, which has been freed before"},
        {[](Pe& pe) { call(pe, "shmem_free", 0x6000); },
         "shmem_free: expected the address of a block, found 0x6000, which was never allocated"},
        {[](Pe& pe) { call(pe, "shmem_free", call(pe, "shmem_malloc", 12) + 4); },
         "shmem_free: expected the address of a block, found 0x6004, which is within the block of 12 bytes at 0x6000"},
        {[](Pe& pe) { call(pe, "shmem_free", pe.allocate_private(8)); },
         "shmem_free: expected the address of a block, found 0x77c8, which is a block of the other heap"},
        {[](Pe& pe) { call(pe, "shmem_realloc", 0x100, 8); },
         "shmem_realloc: expected the address of a block, found 0x100, which was never allocated"},
        {[](Pe& pe) {
             const Address block = call(pe, "shmem_malloc", 8);
             call(pe, "shmem_free", block);
             call(pe, "shmem_int_p", block, 1, 0);
         },
         "shmem_int_p: expected dest to be symmetric, in the program's data or in a block of the heap, found 0x6000, a "
         "block that has been freed"},
        {[](Pe& pe) { call(pe, "shmem_align", 24, 8); },
         "shmem_align: expected an alignment that is a power of two, found 24"},
        {[](Pe& pe) { call(pe, "shmem_malloc", 8 + pe.number()); },
         "shmem_malloc: expected the same size on all PEs, found 0x9, and 0x8 on PE 0"},
        {[](Pe& pe) {
             const Address first = call(pe, "shmem_malloc", 8);
             const Address second = call(pe, "shmem_malloc", 8);
             call(pe, "shmem_free", pe.number() == 0 ? first : second);
         },
         "shmem_free: expected the same block on all PEs, found 0x6008, and 0x6000 on PE 0"},
        {[](Pe& pe) {
             const Address block = call(pe, "shmem_malloc", 8);
             call(pe, "shmem_realloc", block, pe.number() == 0 ? 0 : 16);
         },
         "shmem_realloc: expected the same arguments on all PEs, found others on PE 0"},
    });
}

TEST(ShmemMisuse, OrderOfCalls) {
    const auto never = [](Pe& pe) {
        call(pe, "shmem_finalize");
        call(pe, "shmem_finalize");
        call(pe, "shmem_my_pe");
        call(pe, "shmem_quiet");
    };
    expect_complaints({
        {never, "shmem_quiet: expected no call after shmem_finalize"},
        {[](Pe& pe) { call(pe, "shmem_clear_lock", kArray); },
         "shmem_clear_lock: expected the lock at 0x200 to be held by this PE, found it free"},
        {[](Pe& pe) {
             if (pe.number() == 0) {
                 call(pe, "shmem_set_lock", kArray);
             }
             call(pe, "shmem_barrier_all");
             if (pe.number() == 1) {
                 call(pe, "shmem_clear_lock", kArray);
             }
         },
         "shmem_clear_lock: expected the lock at 0x200 to be held by this PE, found PE 0"},
        {[](Pe& pe) {
             call(pe, "shmem_set_lock", kArray);
             call(pe, "shmem_set_lock", kArray);
         },
         "shmem_set_lock: expected the lock at 0x200 to be held by another PE or none, found it held by this one", 1},
    });
    nocbench::test::EpiphanyMachine machine;
    NativeProgram program;
    program.num_pes = 1;
    program.sets_up = false;
    program.run = [](Pe& pe) { call(pe, "shmem_barrier_all"); };
    EXPECT_EQ(nocbench::test::error_message([&] { run_native(machine.device(), program); }),
              "shmem_barrier_all: expected a call of shmem_init before");
}

TEST(ShmemMisuse, ActiveSets) {
    expect_complaints({
        {[](Pe& pe) { call(pe, "shmem_barrier", 1, 0, 3, kSync); },
         "shmem_barrier: expected an active set of PEs from 0 to 2, found PE_start 1, logPE_stride 0, PE_size 3", 3},
        {[](Pe& pe) { call(pe, "shmem_barrier", 0, -1, 2, kSync); },
         "shmem_barrier: expected an active set of PEs from 0 to 2, found PE_start 0, logPE_stride -1, PE_size 2", 3},
        {[](Pe& pe) { call(pe, "shmem_barrier", 0, 0, 0, kSync); },
         "shmem_barrier: expected an active set of PEs from 0 to 2, found PE_start 0, logPE_stride 0, PE_size 0", 3},
        {[](Pe& pe) { call(pe, "shmem_barrier", 0, 31, 2, kSync); },
         "shmem_barrier: expected an active set of PEs from 0 to 2, found PE_start 0, logPE_stride 31, PE_size 2", 3},
        {[](Pe& pe) { call(pe, "shmem_fcollect32", kArray, kArray, 1, 0, 0, INT32_MAX, kSync); },
         "shmem_fcollect32: expected an active set of PEs from 0 to 2, found PE_start 0, logPE_stride 0, PE_size "
         "2147483647",
         3},
        {[](Pe& pe) {
             if (pe.number() == 1) {
                 call(pe, "shmem_barrier", 0, 1, 2, kSync);
             }
         },
         "shmem_barrier: expected the active set to have this PE, 1, in it, found PE_start 0, logPE_stride 1, PE_size "
         "2",
         3},
        {[](Pe& pe) { call(pe, "shmem_broadcast32", kArray, kArray, 4, 2, 0, 0, 2, kSync); },
         "shmem_broadcast32: expected a root from 0 to 1, its place in the active set, found 2"},
        {[](Pe& pe) { call(pe, "shmem_barrier", 0, 0, 2, kSync + static_cast<Address>(pe.number()) * 16); },
         "shmem_barrier: expected the same pSync on all PEs, found 0x110, and 0x100 on PE 0"},
        {[](Pe& pe) { call(pe, "shmem_barrier", 0, 0, 2, 0); },
         "shmem_barrier: expected pSync to be an address, found null"},
        {[](Pe& pe) { call(pe, "shmem_barrier", 0, 0, 2, 0x5ff8); },
         "shmem_barrier: expected pSync within the program's data, which end at 0x6000, found 16 bytes at 0x5ff8"},
        {[](Pe& pe) { call(pe, "shmem_fcollect32", kArray, kArray + 64, 1 + pe.number(), 0, 0, 2, kSync); },
         "shmem_fcollect32: expected the same nelems on all PEs, found 0x2, and 0x1 on PE 0"},
        {[](Pe& pe) { call(pe, "shmem_broadcast32", kArray, kArray + 64, 1, pe.number(), 0, 0, 2, kSync); },
         "shmem_broadcast32: expected the same PE_root on all PEs, found 0x1, and 0x0 on PE 0"},
        {[](Pe& pe) {
             call(pe, "shmem_int_sum_to_all", kArray, kArray, 100, 0, 0, 2, call(pe, "shmem_malloc", 200), kSync);
         },
         "shmem_int_sum_to_all: expected pWrk within the block of 200 bytes at 0x6000, found 204 bytes at 0x6000"},
        {[](Pe& pe) { call(pe, "shmem_alltoall64", call(pe, "shmem_malloc", 40), kArray, 3, 0, 0, 2, kSync); },
         "shmem_alltoall64: expected dest within the block of 40 bytes at 0x6000, found 48 bytes at 0x6000"},
        {[](Pe& pe) { call(pe, "shmem_int_sum_to_all", kArray + 4, kArray, 4, 0, 0, 2, kArray + 0x80, kSync); },
         "shmem_int_sum_to_all: expected dest and source to be one array or apart, found 16 bytes at 0x204 and at "
         "0x200"},
        {[](Pe& pe) { call(pe, "shmem_short_or_to_all", kArray, kArray + 6, 4, 0, 0, 3, kArray + 0x80, kSync); },
         "shmem_short_or_to_all: expected dest and source to be one array or apart, found 8 bytes at 0x200 and at "
         "0x206",
         3},
        {[](Pe& pe) { call(pe, "shmem_alltoalls32", kArray, kArray, 1, 0, 3, 0, 0, 2, kSync); },
         "shmem_alltoalls32: expected strides of 1 or more, found 1 and 0"},
    });
}

TEST(ShmemMisuse, CountsThatDoNotFitAWord) {
    constexpr std::uint32_t kCount = 0x40000000;
    for (const std::string name : {"collect32", "fcollect32", "alltoall32"}) {
        const std::string complaint =
            complaint_of(2, [&](Pe& pe) { call(pe, "shmem_" + name, kArray, kArray + 64, kCount, 0, 0, 2, kSync); });
        EXPECT_NE(complaint.find(name + ": expected"), std::string::npos) << complaint;
    }
}

TEST(ShmemMisuse, RoutinesThatNotAllEnter) {
    expect_complaints({
        {[](Pe& pe) {
             if (pe.number() == 0) {
                 call(pe, "shmem_collect32", kArray, kArray + 64, 1, 0, 0, 2, kSync);
             } else {
                 call(pe, "shmem_barrier", 0, 0, 2, kSync);
             }
         },
         "shmem_barrier: expected all PEs of the active set in one routine, found PE 0 in shmem_collect32"},
        {[](Pe& pe) {
             if (pe.number() == 0) {
                 call(pe, "shmem_barrier", 0, 0, 2, kSync);
             } else {
                 call(pe, "shmem_barrier", 1, 0, 2, kSync);
             }
             call(pe, "shmem_barrier", 0, 0, 3, kSync);
         },
         "shmem_barrier: expected PE 0 to enter it too, with PE_start 0, logPE_stride 0, PE_size 3, found it in "
         "shmem_barrier with PE_start 0, logPE_stride 0, PE_size 2, waiting for this PE",
         3},
    });
}

TEST(ShmemMisuse, WaitsThatNobodyEnds) {
    const std::string deadlock = "deadlock: nothing moves any more after cycle #";
    const std::string first = "\n  kernel 'program, PE 0' on core (0, 0) waits since cycle # in ";
    const std::string second = "\n  kernel 'program, PE 1' on core (1, 0) waits since cycle # in ";
    const std::string third = "\n  kernel 'program, PE 2' on core (2, 0) waits since cycle # in ";
    const auto not_on = [](int number, const std::function<void(Pe&)>& program) {
        return [number, program](Pe& pe) {
            if (pe.number() != number) {
                program(pe);
            }
        };
    };
    expect_complaints({
        {not_on(1, [](Pe& pe) { call(pe, "shmem_barrier_all"); }),
         deadlock + first + "shmem_barrier_all at 0x00000040, for PE 1" + third +
             "shmem_barrier_all at 0x00000040, for PE 1",
         3},
        {not_on(1, [](Pe& pe) { call(pe, "shmem_malloc", 8); }),
         deadlock + first + "shmem_malloc at 0x00000040, for PE 1"},
        {[](Pe& pe) { call(pe, "shmem_int_wait", kArray, 0); },
         deadlock + first + "shmem_int_wait at 0x00000200, for another PE to write there" + second +
             "shmem_int_wait at 0x00000200, for another PE to write there"},
        {not_on(0, [](Pe& pe) { call(pe, "shmem_broadcast32", kArray, kArray, 4, 0, 0, 0, 2, kSync); }),
         deadlock + second + "shmem_broadcast32 at 0x00000108, for PE 0"},
        {not_on(1,
                [](Pe& pe) {
                    for (int turn = 0; turn < 3; ++turn) {
                        call(pe, "shmem_broadcast32", kArray, kArray, 4, 0, 0, 0, 2, kSync);
                    }
                }),
         "shmem_broadcast32: expected PE 1 to enter it too, found that it has ended"},
        {not_on(0, [](Pe& pe) { call(pe, "shmem_collect32", kArray, kArray + 64, 4, 0, 0, 2, kSync); }),
         deadlock + second + "shmem_collect32 at 0x00000110, for PE 0"},
    });
}

TEST(ShmemMisuse, LocksThatNobodyClears) {
    expect_complaints({
        {[](Pe& pe) { call(pe, "shmem_set_lock", kArray); },
         "shmem_set_lock: expected the lock at 0x200 to become free, but PE 0 has ended with the lock at 0x200"},
        {[](Pe& pe) {
             epiphany::instructions(1000 * pe.number());
             call(pe, "shmem_set_lock", kArray);
             call(pe, "shmem_barrier_all");
         },
         "shmem_set_lock: expected the lock at 0x200 to become free, but PE 0 holds the lock at 0x200 in "
         "shmem_barrier_all, where it waits for this PE"},
        {[](Pe& pe) {
             const auto number = static_cast<Address>(pe.number());
             call(pe, "shmem_set_lock", kArray + number * 4);
             call(pe, "shmem_barrier_all");
             epiphany::instructions(500 * (2 - pe.number()));
             call(pe, "shmem_set_lock", kArray + (number + 1) % 3 * 4);
         },
         "shmem_set_lock: expected the lock at 0x200 to become free, but PE 1 waits for the lock at 0x208, which this "
         "PE holds",
         3},
    });
}

}  // namespace

}  // namespace nocbench::shmem
