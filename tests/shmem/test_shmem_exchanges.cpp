// Block exchanges between all members of a set, including strided ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/shmem/sets.h"

namespace nocbench::shmem {

namespace {

using namespace test;

constexpr Address kSync = kData;
constexpr Address kSource = kData + 0x200;
constexpr Address kDestination = kData + 0x2200;
constexpr std::size_t kRoomBytes = 0x1800;

/// Returns element `element` of the block from one member to another.
template <class Value>
Value value_of(int from, int to, std::uint32_t element, int turn) {
    return static_cast<Value>(turn * 1000000 + from * 30000 + to * 1000 + static_cast<int>(element) + 1);
}

struct Strides {
    std::uint32_t destination = 1;
    std::uint32_t source = 1;
};

/// Calls alltoall, or alltoalls if strided, in 12 rounds.
template <class Value>
void exchange_again_and_again(const ActiveSet& set, bool strided) {
    run_set(set, kSync, [&](Pe& pe, int index) {
        Chance chance(pe, 23);
        const auto size = static_cast<std::uint32_t>(set.size);
        for (int turn = 0; turn < 12; ++turn) {
            const auto number = static_cast<std::uint32_t>(turn);
            const std::uint32_t count = number * 5 % 8;
            const Strides strides = strided ? Strides{1 + number % 3, 1 + number % 4} : Strides{};
            std::vector<Value> source(kRoomBytes / sizeof(Value));
            std::vector<Value> expected(kRoomBytes / sizeof(Value));
            for (std::uint32_t element = 0; element < size * count; ++element) {
                const auto member = static_cast<int>(element / count);
                source[std::size_t{element} * strides.source] = value_of<Value>(index, member, element % count, turn);
                expected[std::size_t{element} * strides.destination] =
                    value_of<Value>(member, index, element % count, turn);
            }
            set_values(pe, kSource, source);
            set_values(pe, kDestination, std::vector<std::byte>(kRoomBytes));
            call(pe, "shmem_barrier", set.start, set.log_stride, set.size, kSync + 32);
            chance.delay();
            const int bits = static_cast<int>(sizeof(Value)) * 8;
            if (strided) {
                call(pe, fmt::format("shmem_alltoalls{}", bits), kDestination, kSource, strides.destination,
                     strides.source, count, set.start, set.log_stride, set.size, kSync);
            } else {
                call(pe, fmt::format("shmem_alltoall{}", bits), kDestination, kSource, count, set.start, set.log_stride,
                     set.size, kSync);
            }
            EXPECT_EQ(values_at<Value>(pe, kDestination, expected.size()), expected)
                << "turn " << turn << " of " << text_of(set);
        }
    });
}

TEST(ShmemExchanges, OfEverySet) {
    for (const ActiveSet& set : active_sets()) {
        exchange_again_and_again<std::uint32_t>(set, false);
        exchange_again_and_again<std::uint64_t>(set, false);
    }
}

TEST(ShmemExchanges, WithStrides) {
    for (const ActiveSet& set : active_sets()) {
        exchange_again_and_again<std::uint32_t>(set, true);
        exchange_again_and_again<std::uint64_t>(set, true);
    }
}

}  // namespace

}  // namespace nocbench::shmem
