// Queries of the library, and pointers to other PEs' data.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

TEST(ShmemQueries, NumbersOfPes) {
    for (const int num_pes : {1, 3, 16}) {
        run_pes(num_pes, [&](Pe& pe) {
            for (const std::string name : {"shmem_my_pe", "_my_pe"}) {
                EXPECT_EQ(call<std::int32_t>(pe, name), pe.number());
            }
            for (const std::string name : {"shmem_n_pes", "_num_pes"}) {
                EXPECT_EQ(call<std::int32_t>(pe, name), num_pes);
            }
        });
    }
}

TEST(ShmemQueries, WhatIsAccessible) {
    run_pes(3, [](Pe& pe) {
        for (int other = -1; other <= 3; ++other) {
            const std::uint32_t is_there = other >= 0 && other < 3 ? 1 : 0;
            EXPECT_EQ(call(pe, "shmem_pe_accessible", other), is_there);
            EXPECT_EQ(call(pe, "shmem_addr_accessible", kData, other), is_there);
            EXPECT_EQ(call(pe, "shmem_addr_accessible", 0x7f00, other), 0U);  // within the stack
        }
        const Address block = call(pe, "shmem_malloc", 16);
        EXPECT_EQ(call(pe, "shmem_addr_accessible", block + 15, 2), 1U);
        EXPECT_EQ(call(pe, "shmem_addr_accessible", block + 16, 2), 0U);
        call(pe, "shmem_barrier_all");
    });
}

TEST(ShmemQueries, PointersLeadToTheOther) {
    run_pes(16, [](Pe& pe) {
        const Address block = call(pe, "shmem_malloc", 64);
        for (int other = 0; other < 16; ++other) {
            // Pointers to data and to the heap.
            const Address there = call(pe, "shmem_ptr", kData, other);
            epiphany::store<std::uint32_t>(there + static_cast<Address>(pe.number()) * 4,
                                           static_cast<std::uint32_t>(pe.number() + other * 16));
            EXPECT_EQ(call(pe, "shmem_ptr", block, other), there - kData + block);
        }
        call(pe, "shmem_barrier_all");
        for (int other = 0; other < 16; ++other) {
            EXPECT_EQ(value_at<std::int32_t>(pe, kData + static_cast<Address>(other) * 4), other + pe.number() * 16);
            const Address there = call(pe, "shmem_ptr", kData, other);
            EXPECT_EQ(epiphany::load<std::int32_t>(there), other * 16);
        }
        // A PE's own memory has two addresses.
        const Address mine = call(pe, "shmem_ptr", kData, pe.number());
        call(pe, "shmem_int_p", mine + 0x100, 7, pe.number());
        EXPECT_EQ(value_at<std::int32_t>(pe, kData + 0x100), 7);
        call(pe, "shmem_int_put", kData + 0x104, mine + 0x100, 1, pe.number());
        EXPECT_EQ(value_at<std::int32_t>(pe, kData + 0x104), 7);
        call(pe, "shmem_barrier_all");
    });
}

TEST(ShmemQueries, VersionAndName) {
    run_pes(1, [](Pe& pe) {
        call(pe, "shmem_info_get_version", kData, kData + 4);
        EXPECT_EQ(values_at<std::int32_t>(pe, kData, 2), (std::vector<std::int32_t>{1, 3}));
        call(pe, "shmem_info_get_name", kData);
        epiphany::synchronize();
        EXPECT_EQ(pe.guest().text_at(kData, SIZE_MAX), "nocbench");
    });
}

TEST(ShmemQueries, SetUpAgain) {
    run_pes(4, [](Pe& pe) {
        call(pe, "shmem_finalize");
        call(pe, "shmem_init");
        call(pe, "shmem_int_p", kData, 3, (pe.number() + 1) % 4);
        call(pe, "shmem_barrier_all");
        EXPECT_EQ(value_at<std::int32_t>(pe, kData), 3);
        call(pe, "shmem_finalize");
    });
}

TEST(ShmemQueries, EveryRoutineHasOneName) {
    std::map<std::string_view, int> names;
    for (const Routine& each : shmem_routines()) {
        EXPECT_EQ(++names[each.name], 1) << each.name;
    }
    for (const std::string cache : {"shmem_clear_cache_inv", "shmem_set_cache_inv", "shmem_clear_cache_line_inv",
                                    "shmem_set_cache_line_inv", "shmem_udcflush", "shmem_udcflush_line"}) {
        EXPECT_TRUE(names.contains(cache));
    }
}

}  // namespace

}  // namespace nocbench::shmem
