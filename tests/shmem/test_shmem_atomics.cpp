// Atomic operations of all PEs simultaneously, waiting for values, and locks.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kTarget = kData;
constexpr Address kLock = kData + 0x10;

template <class Value>
void add_on_all(const std::string& type) {
    for (const int num_pes : {1, 2, 3, 7, 16}) {
        run_pes(num_pes, [&](Pe& pe) {
            Chance chance(pe, static_cast<unsigned>(num_pes));
            constexpr int kTurns = 12;
            const int on = num_pes / 2;
            // Large enough to wrap around.
            const auto step = static_cast<Value>(std::numeric_limits<Value>::max() / 3);
            for (int turn = 0; turn < kTurns; ++turn) {
                chance.delay();
                call(pe, "shmem_" + type + "_inc", kTarget, on);
                call(pe, "shmem_" + type + "_add", kTarget, step, on);
                static_cast<void>(call<Value>(pe, "shmem_" + type + "_fadd", kTarget, static_cast<Value>(-3), on));
                static_cast<void>(call<Value>(pe, "shmem_" + type + "_finc", kTarget, on));
            }
            call(pe, "shmem_barrier_all");
            const std::uint64_t of_a_turn = static_cast<std::uint64_t>(step) + 2 - 3;
            const auto sum = static_cast<Value>(of_a_turn * kTurns * static_cast<std::uint64_t>(num_pes));
            EXPECT_EQ(call<Value>(pe, "shmem_" + type + "_fetch", kTarget, on), sum) << type << ", " << num_pes;
            call(pe, "shmem_barrier_all");
        });
    }
}

TEST(ShmemAtomics, NoAdditionIsLost) {
    add_on_all<std::int32_t>("int");
    add_on_all<std::int32_t>("long");
    add_on_all<std::int64_t>("longlong");
}

TEST(ShmemAtomics, EveryValueIsFetchedOnce) {
    for (const std::string type : {"int", "longlong"}) {
        std::set<std::int64_t> fetched;
        run_pes(16, [&](Pe& pe) {
            Chance chance(pe);
            for (int turn = 0; turn < 10; ++turn) {
                chance.delay();
                fetched.insert(type == "int" ? call<std::int32_t>(pe, "shmem_int_finc", kTarget, 5)
                                             : call<std::int64_t>(pe, "shmem_longlong_finc", kTarget, 5));
            }
        });
        ASSERT_EQ(fetched.size(), 160U);
        EXPECT_EQ(*fetched.begin(), 0);
        EXPECT_EQ(*fetched.rbegin(), 159);
    }
}

/// Every value swapped in is swapped out once, except for the last.
template <class Value>
void swap_on_all(const std::string& type) {
    std::multiset<Value> in{Value{0}};
    std::multiset<Value> out;
    run_pes(16, [&](Pe& pe) {
        Chance chance(pe, 4);
        for (int turn = 0; turn < 8; ++turn) {
            chance.delay();
            const auto value = static_cast<Value>(pe.number() * 100 + turn + 1);
            in.insert(value);
            out.insert(call<Value>(pe, "shmem_" + type + "_swap", kTarget, value, 9));
        }
        call(pe, "shmem_barrier_all");
        if (pe.number() == 0) {
            out.insert(call<Value>(pe, "shmem_" + type + "_fetch", kTarget, 9));
        }
    });
    EXPECT_EQ(in, out) << type;
}

TEST(ShmemAtomics, NoSwapIsLost) {
    swap_on_all<std::int32_t>("int");
    swap_on_all<std::int32_t>("long");
    swap_on_all<std::int64_t>("longlong");
    swap_on_all<float>("float");
    swap_on_all<double>("double");
}

template <class Value>
void compare_and_swap_on_all(const std::string& type) {
    run_pes(9, [&](Pe& pe) {
        Chance chance(pe, 6);
        for (int turn = 0; turn < 8; ++turn) {
            chance.delay();
            auto seen = call<Value>(pe, "shmem_" + type + "_fetch", kTarget, 3);
            for (;;) {
                const auto found =
                    call<Value>(pe, "shmem_" + type + "_cswap", kTarget, seen, static_cast<Value>(seen + 5), 3);
                if (found == seen) {
                    break;
                }
                seen = found;
            }
        }
        call(pe, "shmem_barrier_all");
        EXPECT_EQ(call<Value>(pe, "shmem_" + type + "_fetch", kTarget, 3), 9 * 8 * 5) << type;
        // A failed comparison leaves the value unchanged.
        EXPECT_EQ(call<Value>(pe, "shmem_" + type + "_cswap", kTarget, Value{1}, Value{2}, 3), 9 * 8 * 5);
        call(pe, "shmem_barrier_all");
        EXPECT_EQ(call<Value>(pe, "shmem_" + type + "_fetch", kTarget, 3), 9 * 8 * 5);
    });
}

TEST(ShmemAtomics, ComparisonsAndSwapsAreOne) {
    compare_and_swap_on_all<std::int32_t>("int");
    compare_and_swap_on_all<std::int32_t>("long");
    compare_and_swap_on_all<std::int64_t>("longlong");
}

/// Returns the number of lost sets. PE 0 repeatedly adds 1 while another PE sets a large number once; a set between the
/// load and the store of an addition is lost.
int sets_lost(bool unlocked_set) {
    Options options;
    options.unlocked_set = unlocked_set;
    int lost = 0;
    for (int delay = 0; delay < 40; ++delay) {
        run_pes(
            3,
            [&](Pe& pe) {
                if (pe.number() == 0) {
                    for (int turn = 0; turn < 6; ++turn) {
                        call(pe, "shmem_int_inc", kTarget, 2);
                    }
                } else if (pe.number() == 1) {
                    epiphany::instructions(150 + delay * 5);
                    call(pe, "shmem_int_set", kTarget, 1000, 2);
                }
                call(pe, "shmem_barrier_all");
                lost += pe.number() == 2 && value_at<std::int32_t>(pe, kTarget) < 1000 ? 1 : 0;
            },
            options);
    }
    return lost;
}

TEST(ShmemAtomics, ASetIsLostOnlyWithoutItsLock) {
    EXPECT_EQ(sets_lost(false), 0);
    EXPECT_GT(sets_lost(true), 0);
}

TEST(ShmemAtomics, SetOfEveryType) {
    run_pes(2, [](Pe& pe) {
        const int other = 1 - pe.number();
        call(pe, "shmem_int_set", kTarget, -5, other);
        call(pe, "shmem_long_set", kTarget + 8, -6, other);
        call(pe, "shmem_longlong_set", kTarget + 16, INT64_MIN + 1, other);
        call(pe, "shmem_float_set", kTarget + 24, 1.5F, other);
        call(pe, "shmem_double_set", kTarget + 32, -2.5e200, other);
        call(pe, "shmem_barrier_all");
        EXPECT_EQ(value_at<std::int32_t>(pe, kTarget), -5);
        EXPECT_EQ(value_at<std::int32_t>(pe, kTarget + 8), -6);
        EXPECT_EQ(value_at<std::int64_t>(pe, kTarget + 16), INT64_MIN + 1);
        EXPECT_EQ(value_at<float>(pe, kTarget + 24), 1.5F);
        EXPECT_EQ(value_at<double>(pe, kTarget + 32), -2.5e200);
        EXPECT_EQ(call<float>(pe, "shmem_float_fetch", kTarget + 24, other), 1.5F);
        EXPECT_EQ(call<double>(pe, "shmem_double_fetch", kTarget + 32, other), -2.5e200);
        call(pe, "shmem_barrier_all");
    });
}

TEST(ShmemLocks, OneHolderAtATime) {
    for (const int num_pes : {1, 2, 5, 16}) {
        int holders = 0;
        run_pes(num_pes, [&](Pe& pe) {
            Chance chance(pe, 8);
            constexpr int kTurns = 8;
            for (int turn = 0; turn < kTurns; ++turn) {
                chance.delay();
                if (turn % 3 == 2) {
                    while (call(pe, "shmem_test_lock", kLock) != 0) {
                        epiphany::instructions(20);
                    }
                } else {
                    call(pe, "shmem_set_lock", kLock);
                }
                epiphany::synchronize();
                EXPECT_EQ(holders++, 0);
                // The counter is not atomic; the lock must protect it.
                const auto count = call<std::int32_t>(pe, "shmem_int_g", kTarget, num_pes - 1);
                chance.delay();
                call(pe, "shmem_int_p", kTarget, count + 1, num_pes - 1);
                epiphany::synchronize();
                --holders;
                call(pe, "shmem_clear_lock", kLock);
            }
            call(pe, "shmem_barrier_all");
            EXPECT_EQ(call<std::int32_t>(pe, "shmem_int_g", kTarget, num_pes - 1), kTurns * num_pes);
            EXPECT_EQ(value_at<std::int32_t>(pe, kLock), 0);
        });
    }
}

}  // namespace

}  // namespace nocbench::shmem
