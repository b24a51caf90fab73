// Data that must have arrived when an ordering routine returns.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kTarget = kData;
constexpr Address kSource = kData + 0x400;
constexpr std::uint32_t kBytes = 256;

constexpr int kPes = 16;

/// Returns the last word of PE 0's put to the farthest PE, at the time when `what_it_does` returns.
std::uint32_t last_word_after(const std::function<void(Pe&)>& what_it_does) {
    std::vector<Pe*> pes(kPes);
    std::uint32_t found = 0;
    run_pes(kPes, [&](Pe& pe) {
        pes[static_cast<std::size_t>(pe.number())] = &pe;
        set_values(pe, kSource, std::vector<std::uint32_t>(kBytes / 4, 7));
        call(pe, "shmem_barrier_all");
        if (pe.number() == 0) {
            what_it_does(pe);
            found = value_at<std::uint32_t>(*pes.back(), kTarget + kBytes - 4);
        }
        call(pe, "shmem_barrier_all");
    });
    return found;
}

/// Returns the last word at the return of `put`, followed by `order` unless it is empty.
std::uint32_t last_word_after(const std::string& put, const std::string& order) {
    return last_word_after([&](Pe& pe) {
        call(pe, put, kTarget, kSource, kBytes, kPes - 1);
        if (!order.empty()) {
            call(pe, order);
        }
    });
}

TEST(ShmemOrder, AfterAQuietEverythingHasArrived) {
    EXPECT_EQ(last_word_after("shmem_putmem", ""), 0U) << "it takes a while to get there";
    EXPECT_EQ(last_word_after("shmem_putmem", "shmem_quiet"), 7U);
    EXPECT_EQ(last_word_after("shmem_putmem_nbi", "shmem_quiet"), 7U);
}

/// The next owner of a lock must see all data put by its previous owner.
TEST(ShmemOrder, WhenALockIsFreeWhatWasPutUnderItHasArrived) {
    constexpr Address kLock = kData + 0x800;
    EXPECT_EQ(last_word_after([](Pe& pe) {
                  call(pe, "shmem_set_lock", kLock);
                  call(pe, "shmem_putmem", kTarget, kSource, kBytes, kPes - 1);
                  call(pe, "shmem_clear_lock", kLock);
              }),
              7U);
}

TEST(ShmemOrder, AfterAFenceEnginesHaveSentEverything) {
    // Data put later use the same route, and arrive later.
    EXPECT_EQ(last_word_after("shmem_putmem_nbi", ""), 0U);
    constexpr Address kFlag = kData + 0x800;
    bool was_behind = false;
    run_pes(2, [&](Pe& pe) {
        set_values(pe, kSource, std::vector<std::uint32_t>(kBytes / 4, 7));
        call(pe, "shmem_barrier_all");
        if (pe.number() == 0) {
            call(pe, "shmem_putmem_nbi", kTarget, kSource, kBytes, 1);
            call(pe, "shmem_fence");
            call(pe, "shmem_int_p", kFlag, 1, 1);
        } else {
            call(pe, "shmem_int_wait", kFlag, 0);
            was_behind = value_at<std::uint32_t>(pe, kTarget + kBytes - 4) == 7;
        }
        call(pe, "shmem_barrier_all");
    });
    EXPECT_TRUE(was_behind);
}

}  // namespace

}  // namespace nocbench::shmem
