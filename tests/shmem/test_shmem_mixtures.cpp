// Sequences of collective routines of all kinds, with one array of flags on overlapping sets, and with PEs that arrive
// at different times.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/shmem/sets.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kSync = kData;
constexpr Address kSource = kData + 0x100;
constexpr Address kWork = kData + 0x400;
constexpr Address kDestination = kData + 0x800;
constexpr Address kPlaceBytes = 0x100;  // one destination per round, so that no PE waits for a free one
constexpr std::uint32_t kCount = 3;

using Values = std::vector<std::int32_t>;

std::int32_t element(int member, int turn, std::uint32_t number) {
    return turn * 10000 + member * 100 + static_cast<std::int32_t>(number) + 1;
}

/// Returns a member's expected destination data after a routine.
Values expected_of(const std::string& routine, const ActiveSet& set, int index, int turn, int root) {
    Values values(kPlaceBytes / 4);
    for (int member = 0; member < set.size; ++member) {
        for (std::uint32_t number = 0; number < kCount; ++number) {
            const auto place = static_cast<std::size_t>(member) * kCount + number;
            if (routine == "shmem_broadcast32") {
                values[number] = index == root ? 0 : element(root, turn, number);
            } else if (routine == "shmem_int_sum_to_all") {
                values[number] += element(member, turn, number);
            } else if (routine == "shmem_alltoall32") {
                values[place] = element(member, turn, static_cast<std::uint32_t>(index) * kCount + number);
            } else if (routine != "shmem_barrier") {
                values[place] = element(member, turn, number);
            }
        }
    }
    return values;
}

void call_collective(Pe& pe, const std::string& routine, const ActiveSet& set, Address to, int root, Address sync) {
    if (routine == "shmem_barrier") {
        call(pe, routine, set.start, set.log_stride, set.size, sync);
    } else if (routine == "shmem_broadcast32") {
        call(pe, routine, to, kSource, kCount, root, set.start, set.log_stride, set.size, sync);
    } else if (routine == "shmem_int_sum_to_all") {
        call(pe, routine, to, kSource, kCount, set.start, set.log_stride, set.size, kWork, sync);
    } else {
        call(pe, routine, to, kSource, kCount, set.start, set.log_stride, set.size, sync);
    }
}

/// Executes round `turn`, which calls equal routines on all members.
void take_turn(Pe& pe, Chance& chance, const ActiveSet& set, int turn, unsigned seed, Address sync) {
    static const std::vector<std::string> kRoutines{"shmem_barrier",    "shmem_broadcast32", "shmem_collect32",
                                                    "shmem_fcollect32", "shmem_alltoall32",  "shmem_int_sum_to_all"};
    std::minstd_rand common(seed * 97 + static_cast<unsigned>(turn) * 13 + 1);
    common.discard(3);
    const std::string& routine = kRoutines[common() % kRoutines.size()];
    const int root = static_cast<int>(common()) % set.size;
    const int index = set.index_of(pe.number());
    Values source(kPlaceBytes / 4);
    for (std::size_t number = 0; number < source.size(); ++number) {
        source[number] = element(index, turn, static_cast<std::uint32_t>(number));
    }
    if (chance.below(3) == 0) {
        chance.delay();
    }
    set_values(pe, kSource, source);
    const Address to = kDestination + static_cast<Address>(turn) * kPlaceBytes;
    call_collective(pe, routine, set, to, root, sync);
    EXPECT_EQ(values_at<std::int32_t>(pe, to, kPlaceBytes / 4), expected_of(routine, set, index, turn, root))
        << routine << ", turn " << turn << ", seed " << seed << ", " << text_of(set) << ", PE " << pe.number();
}

TEST(ShmemMixtures, OnOneArrayOfFlags) {
    for (const ActiveSet& set : few_active_sets()) {
        for (const Algorithms algorithms : {Algorithms::paper, Algorithms::later}) {
            for (unsigned seed = 0; seed < 5; ++seed) {
                Options options;
                options.algorithms = algorithms;
                run_set(
                    set, kSync,
                    [&](Pe& pe, int /*index*/) {
                        Chance chance(pe, seed);
                        for (int turn = 0; turn < 40; ++turn) {
                            take_turn(pe, chance, set, turn, seed, kSync);
                        }
                    },
                    options);
            }
        }
    }
}

TEST(ShmemMixtures, OnSetsThatOverlap) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        run_pes(16, [&](Pe& pe) {
            Chance chance(pe, seed);
            const int row = pe.number() / 4;
            const std::vector<ActiveSet> sets{{0, 0, 16}, {row * 4, 0, 4}, {pe.number() % 4, 2, 4}, {0, 0, 11}};
            for (int turn = 0; turn < 48; ++turn) {
                const std::size_t which = (static_cast<std::size_t>(turn) + seed) % sets.size();
                if (sets[which].index_of(pe.number()) >= 0) {
                    take_turn(pe, chance, sets[which], turn, seed, kSync + static_cast<Address>(which) * 32);
                }
            }
        });
    }
}

}  // namespace

}  // namespace nocbench::shmem
