// Broadcasts, collections and block exchanges, over sets of every kind, repeatedly with one array of flags.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/shmem/sets.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kSync = kData;
constexpr Address kSource = kData + 0x200;
constexpr Address kDestination = kData + 0x1200;
constexpr Address kDestinationBytes = 0x2000;

/// Returns a member's block of `count` elements in round `turn`.
template <class Value>
std::vector<Value> block_of(int index, int turn, std::size_t count) {
    std::vector<Value> values(count);
    for (std::size_t element = 0; element < count; ++element) {
        values[element] = static_cast<Value>(1 + element + static_cast<std::size_t>(index) * 1000 +
                                             static_cast<std::size_t>(turn) * 100000);
    }
    return values;
}

template <class Value>
void append(std::vector<Value>& to, const std::vector<Value>& values) {
    to.insert(to.end(), values.begin(), values.end());
}

template <class Value>
constexpr int kBits = static_cast<int>(sizeof(Value)) * 8;

/// Expects `expected` at the destination, followed by unchanged memory.
template <class Value>
void expect_there(Pe& pe, std::vector<Value> expected, const std::string& what) {
    expected.resize(expected.size() + 4);
    EXPECT_EQ(values_at<Value>(pe, kDestination, expected.size()), expected) << what << ", PE " << pe.number();
}

Options with(Algorithms algorithms) {
    Options options;
    options.algorithms = algorithms;
    return options;
}

constexpr std::array<Algorithms, 2> kAlgorithms{Algorithms::paper, Algorithms::later};

template <class Value>
void broadcast_from_every_root(const ActiveSet& set, Algorithms algorithms) {
    run_set(
        set, kSync,
        [&](Pe& pe, int index) {
            Chance chance(pe, 31);
            for (int root = 0; root < set.size; ++root) {
                const std::size_t count = static_cast<std::size_t>(root) * 5 % 34;
                set_values(pe, kSource, block_of<Value>(index, root, count));
                set_values(pe, kDestination, std::vector<std::byte>(kDestinationBytes));
                call(pe, "shmem_barrier", set.start, set.log_stride, set.size, kSync);
                chance.delay();
                call(pe, fmt::format("shmem_broadcast{}", kBits<Value>), kDestination, kSource,
                     static_cast<std::uint32_t>(count), root, set.start, set.log_stride, set.size, kSync);
                expect_there(pe, index == root ? std::vector<Value>{} : block_of<Value>(root, root, count),
                             fmt::format("broadcast from {} of {}", root, text_of(set)));
                call(pe, "shmem_barrier", set.start, set.log_stride, set.size, kSync);
            }
        },
        with(algorithms));
}

TEST(ShmemBroadcasts, FromEveryRootOfEverySet) {
    for (const ActiveSet& set : active_sets()) {
        for (const Algorithms algorithms : kAlgorithms) {
            broadcast_from_every_root<std::uint32_t>(set, algorithms);
            broadcast_from_every_root<std::uint64_t>(set, algorithms);
        }
    }
}

/// Broadcasts repeatedly to separate destinations, so that roots can run far ahead of other PEs.
void broadcast_again_and_again(const ActiveSet& set, Algorithms algorithms, bool one_root, unsigned seed) {
    run_set(
        set, kSync,
        [&](Pe& pe, int index) {
            Chance chance(pe, seed);
            constexpr int kTurns = 24;
            constexpr std::uint32_t kCount = 6;
            for (int turn = 0; turn < kTurns; ++turn) {
                const auto place = static_cast<Address>(turn) * 32;
                const int root = one_root ? 0 : turn * 5 % set.size;
                set_values(pe, kSource + place, block_of<std::uint32_t>(index, turn, kCount));
                if (chance.below(3) == 0) {
                    chance.delay();
                }
                call(pe, "shmem_broadcast32", kDestination + place, kSource + place, kCount, root, set.start,
                     set.log_stride, set.size, kSync + (seed % 2 == 0 ? 0U : static_cast<Address>(turn % 2) * 16));
                if (index != root) {
                    EXPECT_EQ(values_at<std::uint32_t>(pe, kDestination + place, kCount),
                              block_of<std::uint32_t>(root, turn, kCount))
                        << "turn " << turn << " from " << root << " of " << text_of(set);
                }
            }
        },
        with(algorithms));
}

TEST(ShmemBroadcasts, OneAfterTheOther) {
    for (const ActiveSet& set : active_sets()) {
        for (const Algorithms algorithms : kAlgorithms) {
            for (unsigned seed = 0; seed < 4; ++seed) {
                broadcast_again_and_again(set, algorithms, true, seed);
                broadcast_again_and_again(set, algorithms, false, seed);
            }
        }
    }
}

/// Returns the number of a member's elements, by round: all equal, different, all zero, or zero at the beginning.
std::size_t count_of(int index, int turn) {
    switch (turn % 5) {
        case 0:
            return 3;
        case 1:
            return static_cast<std::size_t>(index);
        case 2:
            return static_cast<std::size_t>(index < 3 ? 0 : index % 4);
        case 3:
            return 0;
        default:
            return static_cast<std::size_t>((index * 7 + 11) % 13);
    }
}

template <class Value>
void collect_again_and_again(const ActiveSet& set, bool all_have_the_same, Algorithms algorithms) {
    run_set(
        set, kSync,
        [&](Pe& pe, int index) {
            Chance chance(pe, 17);
            for (int turn = 0; turn < 15; ++turn) {
                const auto count_at = [&](int member) {
                    return all_have_the_same ? count_of(set.size, turn) : count_of(member, turn);
                };
                std::vector<Value> expected;
                for (int member = 0; member < set.size; ++member) {
                    append(expected, block_of<Value>(member, turn, count_at(member)));
                }
                set_values(pe, kSource, block_of<Value>(index, turn, count_at(index)));
                set_values(pe, kDestination, std::vector<std::byte>(kDestinationBytes));
                call(pe, "shmem_barrier", set.start, set.log_stride, set.size, kSync + 32);
                chance.delay();
                call(pe, fmt::format("shmem_{}collect{}", all_have_the_same ? "f" : "", kBits<Value>), kDestination,
                     kSource, static_cast<std::uint32_t>(count_at(index)), set.start, set.log_stride, set.size, kSync);
                expect_there(pe, expected, fmt::format("collection, turn {} of {}", turn, text_of(set)));
            }
        },
        with(algorithms));
}

TEST(ShmemCollections, OfDifferentAndOfZeroCounts) {
    for (const ActiveSet& set : active_sets()) {
        collect_again_and_again<std::uint32_t>(set, false, Algorithms::paper);
        collect_again_and_again<std::uint64_t>(set, false, Algorithms::paper);
    }
}

TEST(ShmemCollections, OfTheSameCount) {
    for (const ActiveSet& set : active_sets()) {
        for (const Algorithms algorithms : kAlgorithms) {
            collect_again_and_again<std::uint32_t>(set, true, algorithms);
            collect_again_and_again<std::uint64_t>(set, true, algorithms);
        }
    }
}

}  // namespace

}  // namespace nocbench::shmem
