// No PE leaves a barrier before all have entered it.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/shmem/sets.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kSync = kData;
constexpr Address kArrays = kData + 0x100;

/// Counts entries into each barrier.
class Gate {
public:
    void enter(int turn) {
        epiphany::synchronize();
        ++entered_[turn];
    }
    void leave(int turn, int expected, const std::string& what) {
        epiphany::synchronize();
        EXPECT_EQ(entered_[turn], expected) << what << ", turn " << turn;
    }

private:
    std::map<int, int> entered_;
};

TEST(ShmemBarriers, OfEverySetAgainAndAgainOnOneArray) {
    for (const std::string name : {"shmem_barrier", "shmem_sync"}) {
        for (const ActiveSet& set : active_sets()) {
            Gate gate;
            run_set(set, kSync, [&](Pe& pe, int index) {
                Chance chance(pe, static_cast<unsigned>(set.size));
                for (int turn = 0; turn < 30; ++turn) {
                    // In some rounds one PE is late, in others all arrive at about the same time.
                    if (turn % 3 != 0 || index == turn % set.size) {
                        chance.delay();
                    }
                    gate.enter(turn);
                    call(pe, name, set.start, set.log_stride, set.size, kSync);
                    gate.leave(turn, set.size, name + " of " + text_of(set));
                }
            });
        }
    }
}

TEST(ShmemBarriers, OfAll) {
    for (int num_pes = 1; num_pes <= 16; ++num_pes) {
        for (const bool wand_barrier : {false, true}) {
            Options options;
            options.wand_barrier = wand_barrier;
            Gate gate;
            run_pes(
                num_pes,
                [&](Pe& pe) {
                    Chance chance(pe, 2);
                    for (int turn = 0; turn < 30; ++turn) {
                        if (turn % 3 != 0) {
                            chance.delay();
                        }
                        gate.enter(turn);
                        call(pe, turn % 2 == 0 ? "shmem_barrier_all" : "shmem_sync_all");
                        gate.leave(turn, num_pes, "barrier of all");
                    }
                },
                options);
        }
    }
}

TEST(ShmemBarriers, WhatWasPutBeforeIsThereAfter) {
    for (const std::string put : {"shmem_int_p", "shmem_int_put_nbi"}) {
        run_pes(16, [&](Pe& pe) {
            Chance chance(pe, 9);
            const Address mine = kArrays + static_cast<Address>(pe.number()) * 4;
            const Address source = kArrays + 0x100;
            for (int turn = 1; turn < 12; ++turn) {
                chance.delay();
                set_value(pe, source, turn * 100 + pe.number());
                for (int step = 0; step < 16; ++step) {
                    const int to = (pe.number() + step) % 16;
                    if (put == "shmem_int_p") {
                        call(pe, put, mine, turn * 100 + pe.number(), to);
                    } else {
                        call(pe, put, mine, source, 1, to);
                    }
                }
                call(pe, "shmem_barrier", 0, 0, 16, kSync);
                for (int other = 0; other < 16; ++other) {
                    EXPECT_EQ(value_at<std::int32_t>(pe, kArrays + static_cast<Address>(other) * 4),
                              turn * 100 + other);
                }
                call(pe, "shmem_barrier", 0, 0, 16, kSync);
            }
        });
    }
}

TEST(ShmemBarriers, OfSetsThatOverlapAndOfAllInTurn) {
    // Each PE belongs to the set of all PEs, to one of two interleaved halves, and to a row of four.
    std::map<ActiveSet, Gate> gates;
    run_pes(16, [&](Pe& pe) {
        Chance chance(pe, 13);
        const std::vector<ActiveSet> sets{{0, 0, 16}, {pe.number() % 2, 1, 8}, {pe.number() / 4 * 4, 0, 4}};
        for (int turn = 0; turn < 40; ++turn) {
            for (std::size_t which = 0; which < sets.size(); ++which) {
                const ActiveSet& set = sets[which];
                if (turn % 3 == static_cast<int>(which)) {
                    chance.delay();
                }
                gates[set].enter(turn);
                if (which == 0 && turn % 2 == 0) {
                    call(pe, "shmem_barrier_all");
                } else {
                    call(pe, "shmem_barrier", set.start, set.log_stride, set.size,
                         kSync + static_cast<Address>(which) * 16);
                }
                gates[set].leave(turn, set.size, text_of(set));
            }
        }
    });
}

TEST(ShmemBarriers, TwoArraysInTurnOrOne) {
    for (const ActiveSet& set : few_active_sets()) {
        Gate gate;
        run_set(set, kSync, [&](Pe& pe, int /*index*/) {
            Chance chance(pe, 21);
            for (int turn = 0; turn < 60; ++turn) {
                if (chance.below(3) == 0) {
                    chance.delay();
                }
                gate.enter(turn);
                const Address sync = kSync + (turn / 7 % 2 == 0 ? 0U : static_cast<Address>(turn % 2) * 16);
                call(pe, "shmem_barrier", set.start, set.log_stride, set.size, sync);
                gate.leave(turn, set.size, text_of(set));
            }
        });
    }
}

}  // namespace

}  // namespace nocbench::shmem
