// Signals of collective routines: sender, receiver, order and flag. Data alone do not show them, since most orders of
// events need no second flag.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tests/shmem/sets.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kSync = kData;
constexpr Address kSource = kData + 0x200;
constexpr Address kDestination = kData + 0x1200;
constexpr Address kWork = kData + 0x2400;

/// Store by one PE to another PE's memory.
struct Signal {
    int from = 0;
    int to = 0;
    Address place = 0;
    Tick tick = 0;
};

using Pair = std::pair<int, int>;
using Places = std::map<Pair, std::vector<Address>>;

/// Returns stores to other PEs' memory in [begin, begin + bytes), in order of time; offsets are relative to `begin`.
std::vector<Signal> signals_of(int num_pes, Address begin, Address bytes, const std::function<void(Pe&)>& program) {
    nocbench::test::EpiphanyMachine machine;
    std::vector<Signal> signals;
    machine.device().observers().delivered = [&](const Delivery& delivery) {
        const auto address = static_cast<Address>(delivery.destination_address);
        if (delivery.source != delivery.destination && address >= begin && address - begin < bytes) {
            signals.push_back({delivery.source, delivery.destination, address - begin, delivery.tick});
        }
    };
    NativeProgram native;
    native.num_pes = num_pes;
    native.layout = kLayout;
    native.options.algorithms = Algorithms::paper;
    native.run = [&](Pe& pe) {
        program(pe);
        call(pe, "shmem_barrier_all");
        call(pe, "shmem_finalize");
    };
    run_native(machine.device(), native);
    std::ranges::stable_sort(signals, {}, &Signal::tick);
    return signals;
}

/// Returns the offsets by sender and receiver.
Places places_of(const std::vector<Signal>& signals, Address first = 0) {
    Places places;
    for (const Signal& signal : signals) {
        if (signal.place >= first) {
            places[{signal.from, signal.to}].push_back(signal.place);
        }
    }
    return places;
}

/// Returns the PEs that receive a signal from a PE, each once, in order.
std::vector<int> receivers_of(const std::vector<Signal>& signals, int from) {
    std::vector<int> receivers;
    for (const Signal& signal : signals) {
        if (signal.from == from && std::ranges::count(receivers, signal.to) == 0) {
            receivers.push_back(signal.to);
        }
    }
    return receivers;
}

TEST(ShmemSignals, BarriersHaveTwoFlagsPerRoundInTurn) {
    for (const int size : {2, 4, 5, 8}) {
        const std::vector<Signal> signals = signals_of(size, kSync, 64, [&](Pe& pe) {
            for (int turn = 0; turn < 3; ++turn) {
                call(pe, "shmem_barrier", 0, 0, size, kSync);
            }
        });
        Places expected;
        Address round = 0;
        for (int distance = 1; distance < size; distance *= 2, ++round) {
            for (int from = 0; from < size; ++from) {
                expected[{from, (from + distance) % size}] = {2 * round, 2 * round + 1, 2 * round};
            }
        }
        EXPECT_EQ(places_of(signals), expected) << size;
    }
}

TEST(ShmemSignals, EachActiveSetHasTurnsOfItsOwn) {
    const std::vector<Signal> signals = signals_of(4, kSync, 64, [&](Pe& pe) {
        call(pe, "shmem_barrier", 0, 0, 4, kSync);
        if (pe.number() < 2) {
            call(pe, "shmem_barrier", 0, 0, 2, kSync + 16);
        }
        call(pe, "shmem_barrier", 0, 0, 4, kSync);
    });
    EXPECT_EQ(places_of(signals).at({0, 1}), (std::vector<Address>{0, 16, 1}));
    EXPECT_EQ(places_of(signals).at({1, 0}), (std::vector<Address>{16}));
    EXPECT_EQ(places_of(signals).at({1, 2}), (std::vector<Address>{0, 1}));
}

TEST(ShmemSignals, ABroadcastGoesDownATreeFromItsRoot) {
    struct Tree {
        int size;
        int root;
        std::vector<Pair> branches;
    };
    // The farthest receiver comes first: half of the set, then a quarter.
    for (const Tree& tree : std::vector<Tree>{{4, 0, {{0, 2}, {0, 1}, {2, 3}}},
                                              {8, 3, {{3, 7}, {3, 5}, {7, 1}, {3, 4}, {5, 6}, {7, 0}, {1, 2}}},
                                              {5, 2, {{2, 1}, {2, 4}, {2, 3}, {4, 0}}}}) {
        const auto broadcasts = [&](Pe& pe) {
            for (int turn = 0; turn < 3; ++turn) {
                call(pe, "shmem_broadcast32", kDestination, kSource, 4U, tree.root, 0, 0, tree.size, kSync);
            }
        };
        Places flags;
        for (const Pair& branch : tree.branches) {
            flags[branch] = {8, 9, 8};
        }
        EXPECT_EQ(places_of(signals_of(tree.size, kSync, 64, broadcasts)), flags) << tree.size << " from " << tree.root;
        std::vector<int> receivers;
        for (const Pair& branch : tree.branches) {
            if (branch.first == tree.root) {
                receivers.push_back(branch.second);
            }
        }
        EXPECT_EQ(receivers_of(signals_of(tree.size, kDestination, 64, broadcasts), tree.root), receivers)
            << tree.size << " from " << tree.root;
    }
}

TEST(ShmemSignals, CollectionsPassTheirOffsetsOnInTwoWordsInTurn) {
    const std::vector<Signal> signals = signals_of(5, kSync, 64, [&](Pe& pe) {
        for (int turn = 0; turn < 3; ++turn) {
            call(pe, "shmem_collect32", kDestination, kSource, 2U, 0, 0, 5, kSync);
        }
    });
    Places expected;
    for (int from = 0; from + 1 < 5; ++from) {
        expected[{from, from + 1}] = {16, 20, 16};
    }
    EXPECT_EQ(places_of(signals, 16), expected);
}

TEST(ShmemSignals, DoublingHasTwoFlagsPerRoundInTurn) {
    const std::vector<Signal> signals = signals_of(4, kSync, 64, [&](Pe& pe) {
        for (int turn = 0; turn < 3; ++turn) {
            call(pe, "shmem_fcollect32", kDestination, kSource, 2U, 0, 0, 4, kSync);
        }
    });
    Places expected;
    for (int from = 0; from < 4; ++from) {
        expected[{from, from ^ 2}] = {16, 17, 16};  // farthest partner first
        expected[{from, from ^ 1}] = {18, 19, 18};
    }
    EXPECT_EQ(places_of(signals), expected);
}

TEST(ShmemSignals, ReductionsExchangeRoundByRound) {
    const std::vector<Signal> signals = signals_of(4, kSync, 64, [&](Pe& pe) {
        call(pe, "shmem_int_sum_to_all", kDestination, kSource, 4, 0, 0, 4, kWork, kSync);
    });
    Places expected;
    for (int from = 0; from < 4; ++from) {
        expected[{from, from ^ 1}] = {16, 17};  // flags for permission and for arrival
        expected[{from, from ^ 2}] = {18, 19};
    }
    EXPECT_EQ(places_of(signals), expected);
}

/// The offset prevents two PEs from sending to one PE simultaneously.
TEST(ShmemSignals, RingsBeginBehindTheSender) {
    constexpr int kSize = 5;
    for (const char* routine : {"shmem_alltoall32", "shmem_fcollect32", "shmem_collect32"}) {
        const std::vector<Signal> signals = signals_of(kSize, kDestination, 0x400, [&](Pe& pe) {
            call(pe, routine, kDestination, kSource, 16U, 0, 0, kSize, kSync);
        });
        for (int from = 0; from < kSize; ++from) {
            std::vector<int> expected;
            for (int step = 1; step < kSize; ++step) {
                expected.push_back((from + step) % kSize);
            }
            EXPECT_EQ(receivers_of(signals, from), expected) << routine << ", PE " << from;
        }
    }
}

/// Data of odd and even rounds arrive in different parts of the work array.
TEST(ShmemSignals, ReductionsInARingSendFartherInEachTurn) {
    constexpr int kSize = 3;
    constexpr int kCount = 5;  // a third of the work array
    const std::vector<Signal> signals = signals_of(kSize, kWork, 0x40, [&](Pe& pe) {
        call(pe, "shmem_int_sum_to_all", kDestination, kSource, kCount, 0, 0, kSize, kWork, kSync);
    });
    for (int from = 0; from < kSize; ++from) {
        EXPECT_EQ(receivers_of(signals, from), (std::vector<int>{(from + 1) % kSize, (from + 2) % kSize}));
    }
    for (const Signal& signal : signals) {
        const bool is_of_first_turn = signal.to == (signal.from + 1) % kSize;
        EXPECT_EQ(signal.place / (kCount * 4), is_of_first_turn ? 1U : 0U);
    }
}

/// All PEs wait for each other after each round, and once more before the next chunk's parts arrive.
TEST(ShmemSignals, ReductionsInARingSettleAfterEachTurnAndEachChunk) {
    constexpr int kSize = 3;
    constexpr int kCount = 10;  // elements of two chunks
    const std::vector<Signal> signals = signals_of(kSize, kSync, 64, [&](Pe& pe) {
        call(pe, "shmem_int_sum_to_all", kDestination, kSource, kCount, 0, 0, kSize, kWork, kSync);
    });
    Places expected;
    for (int from = 0; from < kSize; ++from) {
        expected[{from, (from + 1) % kSize}] = {0, 1, 0, 1, 0, 1};
        expected[{from, (from + 2) % kSize}] = {2, 3, 2, 3, 2, 3};
    }
    EXPECT_EQ(places_of(signals), expected);
}

}  // namespace

}  // namespace nocbench::shmem
