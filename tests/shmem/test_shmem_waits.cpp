// Waits for values, and program ends requested by other PEs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/shmem/pes.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kFlag = kData;
constexpr Address kSync = kData + 0x40;

template <class Value>
bool is_met(Value value, int comparison, Value with) {
    const std::array<bool, 6> results{value == with, value != with, value > with,
                                      value >= with, value < with,  value <= with};
    return results[static_cast<std::size_t>(comparison)];
}

/// PE 1 stores one value after another. PE 0 waits, and must see a value that meets the comparison; with frequent
/// polls, it must see the first one.
template <class Value>
void wait_for_all_comparisons(const std::string& type) {
    const Value low = std::numeric_limits<Value>::min();
    const Value high = std::numeric_limits<Value>::max();
    const auto middle = static_cast<Value>(high / 2 + 1);
    const std::vector<Value> values{middle, static_cast<Value>(middle - 1), low, high, static_cast<Value>(middle + 1)};
    for (int comparison = 0; comparison < 6; ++comparison) {
        for (const Value with : values) {
            if (!std::ranges::any_of(values, [&](Value value) { return is_met(value, comparison, with); })) {
                continue;
            }
            run_pes(2, [&](Pe& pe) {
                set_value(pe, kFlag, values.front());
                call(pe, "shmem_barrier_all");
                if (pe.number() == 1) {
                    for (const Value value : values) {
                        const Address source = kFlag + 16;
                        set_value(pe, source, value);
                        call(pe, "shmem_putmem", kFlag, source, std::uint32_t{sizeof(Value)}, 0);
                        epiphany::instructions(500);
                    }
                } else {
                    call(pe, "shmem_" + type + "_wait_until", kFlag, comparison, with);
                    const auto found = value_at<Value>(pe, kFlag);
                    const auto first =
                        std::ranges::find_if(values, [&](Value value) { return is_met(value, comparison, with); });
                    EXPECT_EQ(found, *first) << type << ", comparison " << comparison;
                    EXPECT_EQ(call(pe, "shmem_" + type + "_test", kFlag, comparison, with), 1U);
                    EXPECT_EQ(call(pe, "shmem_" + type + "_test", kFlag, comparison ^ 1, with),
                              is_met(found, comparison ^ 1, with) ? 1U : 0U);
                }
            });
        }
    }
}

TEST(ShmemWaits, EveryComparisonOfEveryType) {
    wait_for_all_comparisons<std::int16_t>("short");
    wait_for_all_comparisons<std::int32_t>("int");
    wait_for_all_comparisons<std::int32_t>("long");
    wait_for_all_comparisons<std::int64_t>("longlong");
    wait_for_all_comparisons<std::uint16_t>("ushort");
    wait_for_all_comparisons<std::uint32_t>("uint");
    wait_for_all_comparisons<std::uint32_t>("ulong");
    wait_for_all_comparisons<std::uint64_t>("ulonglong");
}

TEST(ShmemWaits, ForAChangeByWhateverStores) {
    for (const std::string by : {"shmem_int_p", "shmem_int_set", "shmem_int_add", "shmem_int_put", "shmem_int_put_nbi",
                                 "shmem_int_get_nbi of its own"}) {
        run_pes(2, [&](Pe& pe) {
            set_value<std::int32_t>(pe, kFlag + 8, 7);
            call(pe, "shmem_barrier_all");
            if (pe.number() == 0) {
                if (by == "shmem_int_get_nbi of its own") {
                    call(pe, "shmem_int_get_nbi", kFlag, kFlag + 8, 1, 1);
                }
                call(pe, "shmem_int_wait", kFlag, 0);
                EXPECT_EQ(value_at<std::int32_t>(pe, kFlag), 7) << by;
            } else if (by.find("put") != std::string::npos) {
                call(pe, by, kFlag, kFlag + 8, 1, 0);
            } else if (by != "shmem_int_get_nbi of its own") {
                call(pe, by, kFlag, 7, 0);
            }
            call(pe, "shmem_barrier_all");
        });
    }
}

TEST(ShmemWaits, ATokenGoesAround) {
    for (const int num_pes : {2, 3, 16}) {
        run_pes(num_pes, [&](Pe& pe) {
            Chance chance(pe, 3);
            const int next = (pe.number() + 1) % num_pes;
            for (int turn = 1; turn <= 20; ++turn) {
                if (pe.number() != 0 || turn != 1) {
                    call(pe, "shmem_int_wait_until", kFlag, 3, pe.number() == 0 ? turn - 1 : turn);
                }
                chance.delay();
                call(pe, "shmem_int_p", kFlag, turn, next);
            }
            call(pe, "shmem_finalize");
            EXPECT_EQ(value_at<std::int32_t>(pe, kFlag), 20);
        });
    }
}

/// Waits in a manner selected by the PE's number, while one PE ends the program.
void wait_in_many_ways(Pe& pe) {
    switch (pe.number() % 6) {
        case 1:
            call(pe, "shmem_int_wait", kFlag, 0);
            break;
        case 2:
            call(pe, "shmem_barrier_all");
            break;
        case 3:
            for (;;) {  // computes, and sometimes calls a routine
                epiphany::instructions(1000);
                call(pe, "shmem_my_pe");
            }
        case 4:
            call(pe, "shmem_set_lock", kFlag + 8);
            call(pe, "shmem_set_lock", kFlag + 16);
            call(pe, "shmem_int_wait", kFlag, 0);
            break;
        case 5:
            for (;;) {
                call(pe, "shmem_int_finc", kFlag + 32, 0);
                call(pe, "shmem_putmem_nbi", kFlag + 0x100, kFlag + 0x200, 256, 1);
            }
        default:
            call(pe, "shmem_barrier_all");
            break;
    }
    ADD_FAILURE() << "PE " << pe.number() << " goes on";
}

TEST(ShmemEnd, OneEndsAllWhereverTheyAre) {
    for (const bool wand_barrier : {false, true}) {
        for (const int ends : {0, 4, 15}) {
            Options options;
            options.wand_barrier = wand_barrier;
            const NativeRun run = run_pes(
                16,
                [&](Pe& pe) {
                    if (pe.number() == ends) {
                        epiphany::instructions(20000);
                        call(pe, "shmem_global_exit", 42);
                    }
                    wait_in_many_ways(pe);
                },
                options);
            for (const std::optional<int>& status : run.exit_statuses) {
                EXPECT_EQ(status, 42);
            }
        }
    }
}

TEST(ShmemEnd, OfTwoThatEndItTheFirstOneDoes) {
    const NativeRun run = run_pes(4, [&](Pe& pe) {
        epiphany::instructions(3000 - pe.number() * 900);
        if (pe.number() >= 2) {
            call(pe, "shmem_global_exit", pe.number());
        }
        call(pe, "shmem_barrier_all");
        call(pe, "shmem_barrier_all");
    });
    EXPECT_EQ(run.exit_statuses, (std::vector<std::optional<int>>(4, 3)));
}

TEST(ShmemEnd, InEveryCollectiveRoutine) {
    for (const std::string name : {"shmem_barrier", "shmem_collect32", "shmem_fcollect32", "shmem_alltoall32",
                                   "shmem_broadcast32", "shmem_int_sum_to_all", "shmem_malloc"}) {
        const NativeRun run = run_pes(7, [&](Pe& pe) {
            constexpr Address kWork = kData + 0x800;
            if (pe.number() == 5 - 5 * static_cast<int>(name == "shmem_broadcast32")) {
                epiphany::instructions(5000);
                call(pe, "shmem_global_exit", 1);
            }
            if (name == "shmem_barrier") {
                call(pe, name, 0, 0, 7, kSync);
            } else if (name == "shmem_malloc") {
                call(pe, name, 8);
            } else if (name == "shmem_broadcast32") {
                call(pe, name, kWork, kWork + 0x100, 4, 0, 0, 0, 7, kSync);
            } else if (name == "shmem_int_sum_to_all") {
                call(pe, name, kWork, kWork + 0x100, 4, 0, 0, 7, kWork + 0x200, kSync);
            } else {
                call(pe, name, kWork, kWork + 0x100, 4, 0, 0, 7, kSync);
            }
            ADD_FAILURE() << "PE " << pe.number() << " goes on after " << name;
        });
        EXPECT_EQ(run.exit_statuses, (std::vector<std::optional<int>>(7, 1))) << name;
    }
}

/// PEs take a lock in turn, and keep it for a while. Returns when each has cleared it.
std::vector<std::uint64_t> lock_times(int num_pes, Cycle kept_cycles, bool skips_polls) {
    Options options;
    options.skips_lock_polls = skips_polls;
    std::vector<std::uint64_t> times(static_cast<std::size_t>(num_pes));
    run_pes(
        num_pes,
        [&](Pe& pe) {
            call(pe, "shmem_set_lock", kFlag);
            pe.sleep(kept_cycles);
            call(pe, "shmem_clear_lock", kFlag);
            times[static_cast<std::size_t>(pe.number())] = epiphany::timer();
        },
        options);
    return times;
}

TEST(ShmemWaits, SkippedPollsOfALockChangeNoTimes) {
    for (const int num_pes : {2, 3}) {
        for (const Cycle kept_cycles : {500, 2'000, 5'001, 20'002}) {
            EXPECT_EQ(lock_times(num_pes, kept_cycles, true), lock_times(num_pes, kept_cycles, false))
                << num_pes << " PEs, " << kept_cycles << " cycles";
        }
    }
}

TEST(ShmemWaits, ManyWaitersAgreeWithinAPollOfEach) {
    constexpr int kPes = 16;
    constexpr Cycle kKeptCycles = 10'000;
    constexpr std::uint64_t kPollCycles = 200;  // of 15 PEs, each in turn
    const auto last_of = [](bool skips_polls) { return std::ranges::max(lock_times(kPes, kKeptCycles, skips_polls)); };
    const std::uint64_t skipped = last_of(true);
    const std::uint64_t simulated = last_of(false);
    EXPECT_LE(std::max(skipped, simulated) - std::min(skipped, simulated), kPes * kPollCycles);
}

TEST(ShmemWaits, ALockIsWaitedForAsLongAsItTakes) {
    constexpr Cycle kSecond = 600'000'000;
    EXPECT_GT(std::ranges::max(lock_times(16, 10 * kSecond, true)), 160ULL * kSecond);
}

TEST(ShmemWaits, TheEndOfTheProgramEndsSleep) {
    constexpr Cycle kHour = 3600LL * 600'000'000;
    std::vector<std::uint64_t> times(4);
    const NativeRun run = run_pes(4, [&](Pe& pe) {
        if (pe.number() == 0) {
            pe.sleep(1000);
            pe.job().end(3);
            for (int other = 1; other < 4; ++other) {
                epiphany::wake(other);
            }
            return;
        }
        try {
            pe.sleep(kHour);
        } catch (const ProgramEnd& end) {
            EXPECT_EQ(end.exit_status(), 3);
            times[static_cast<std::size_t>(pe.number())] = epiphany::timer();
            throw;
        }
    });
    for (const std::uint64_t time : {times[1], times[2], times[3]}) {
        EXPECT_GE(time, 1000U);
        EXPECT_LT(time, 2000U);
    }
}

}  // namespace

}  // namespace nocbench::shmem
