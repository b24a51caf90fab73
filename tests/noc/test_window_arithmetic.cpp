// Arithmetic on bytes packed into words, against loops over the bytes; and separate rules of a router.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "device_model/noc/engine/router_rules.h"
#include "device_model/noc/engine/window_arithmetic.h"

namespace nocbench {

namespace {

using namespace window_arithmetic;

using Bytes = std::array<int, 8>;

Bytes bytes_of(std::uint64_t word) {
    Bytes bytes{};
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        bytes[index] = static_cast<int>(word >> (8 * index) & 0xff);
    }
    return bytes;
}

class WindowArithmetic : public testing::Test {
protected:
    int below(int end) { return static_cast<int>(draw_() % static_cast<unsigned>(end)); }

    /// Returns a word of bytes below `end`; if `is_sparse`, every second byte is 0.
    std::uint64_t word(int end, bool is_sparse = false) {
        std::uint64_t result = 0;
        for (int index = 0; index < 8; ++index) {
            result |= (is_sparse && below(2) == 0 ? 0 : static_cast<std::uint64_t>(below(end))) << (8 * index);
        }
        return result;
    }

    template <class Check>
    static void for_each_byte(const Check& check) {
        for (std::size_t index = 0; index < 8; ++index) {
            check(index);
        }
    }

    static constexpr int kTrials = 20'000;

private:
    std::mt19937 draw_{1};  // NOLINT(bugprone-random-generator-seed): the same words in each run
};

TEST_F(WindowArithmetic, Bytes) {
    for (int trial = 0; trial < kTrials; ++trial) {
        const std::uint64_t left = word(0x80, true);
        const std::uint64_t right = word(0x80);
        const int least = below(0x81);
        const auto nonzero = bytes_of(nonzero_bytes(left));
        const auto smaller = bytes_of(smaller_bytes(left, right));
        const auto from = bytes_of(bytes_from(left, least));
        int ones = 0;
        for_each_byte([&](std::size_t index) {
            const int byte = bytes_of(left)[index];
            ASSERT_EQ(nonzero[index], byte != 0 ? 1 : 0);
            ASSERT_EQ(smaller[index], std::min(byte, bytes_of(right)[index]));
            ASSERT_EQ(from[index], byte >= least ? 0x80 : 0);
            ones += nonzero[index];
        });
        ASSERT_EQ(count_ones(nonzero_bytes(left)), ones);
    }
}

TEST_F(WindowArithmetic, BitsAndBytes) {
    for (unsigned bits = 0; bits < 256; ++bits) {
        const auto bytes = bytes_of(bytes_of_bits(bits));
        for_each_byte([&](std::size_t index) { ASSERT_EQ(bytes[index], static_cast<int>(bits >> index & 1)); });
        ASSERT_EQ(bits_of_bytes(bytes_of_bits(bits)), bits);
    }
    for (int trial = 0; trial < kTrials; ++trial) {
        const std::uint64_t sets = word(0x100, true);
        int any = 0;
        for_each_byte([&](std::size_t index) { any |= bytes_of(sets)[index]; });
        ASSERT_EQ(any_byte(sets), static_cast<std::uint64_t>(any));
    }
}

TEST_F(WindowArithmetic, ChannelsOfALink) {
    for (int trial = 0; trial < kTrials; ++trial) {
        const std::uint64_t link = word(17, true);
        if (link == 0) {
            continue;
        }
        const auto bytes = bytes_of(link);
        ASSERT_EQ(first_channel(link), *std::ranges::find_if(bytes, [](int byte) { return byte != 0; }) - 1);
        const int channel = below(16);
        const auto present = bytes_of(bytes_of_channel(link, channel));
        for_each_byte([&](std::size_t index) { ASSERT_EQ(present[index], bytes[index] == channel + 1 ? 1 : 0); });
    }
}

/// Reference loop over the cycles of a window. The link idles after `until_idle` consecutive flits.
std::uint64_t sent_by_loop(int flits, std::uint64_t arriving, int space, std::uint64_t credits, int until_idle) {
    std::uint64_t sent = 0;
    for (int cycle = 0; cycle < 8; ++cycle) {
        flits += bytes_of(arriving)[static_cast<std::size_t>(cycle)];
        space += bytes_of(credits)[static_cast<std::size_t>(cycle)];
        const bool idles = cycle == until_idle && count_ones(sent) == cycle;
        if (flits > 0 && space > 0 && !idles) {
            --flits;
            --space;
            sent |= std::uint64_t{1} << (8 * cycle);
        }
    }
    return sent;
}

TEST_F(WindowArithmetic, FlitsThatAreSent) {
    int num_idle = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        const int flits = below(2) == 0 ? below(10) : below(60);
        const int space = below(2) == 0 ? below(10) : below(60);
        const std::uint64_t arriving = word(2);
        const std::uint64_t credits = word(2);
        const int until_idle = below(8);
        const std::uint64_t sent = sent_in_window(flits, arriving, space, credits);
        ASSERT_EQ(sent, sent_by_loop(flits, arriving, space, credits, 8));
        std::uint64_t with_idle = sent;
        if (sends_through(sent, until_idle)) {
            ++num_idle;
            with_idle = sent_in_window(flits, arriving, space, credits, cycles_until_without(until_idle));
        }
        ASSERT_EQ(with_idle, sent_by_loop(flits, arriving, space, credits, until_idle));
        const int cycles = 1 + below(8);
        int last = 0;
        while (last < cycles && (sent >> (8 * (cycles - 1 - last)) & 1) != 0) {
            ++last;
        }
        ASSERT_EQ(sent_last(sent, cycles), last);
    }
    EXPECT_GT(num_idle, kTrials / 10);
}

TEST(RouterRules, PacersKeepFractionsOfACycle) {
    // One flit every 1.25 cycles: four in five cycles.
    Pacer pacer;
    std::vector<Cycle> cycles;
    for (Cycle cycle = 0; cycle < 10; ++cycle) {
        const Tick tick = ticks_from_cycles(cycle);
        if (pacer.allows(tick)) {
            pacer.take(tick, kTicksPerCycle * 5 / 4);
            cycles.push_back(cycle);
        }
    }
    EXPECT_EQ(cycles, (std::vector<Cycle>{0, 1, 2, 3, 5, 6, 7, 8}));
    // Time lost in a pause is not recovered.
    const Tick later = ticks_from_cycles(100);
    EXPECT_TRUE(pacer.allows(later));
    pacer.take(later, 2 * kTicksPerCycle);
    EXPECT_FALSE(pacer.allows(later + kTicksPerCycle));
    EXPECT_TRUE(pacer.allows(later + 2 * kTicksPerCycle));
}

TEST(RouterRules, ConsecutiveFlitsEndWithAGap) {
    ConsecutiveFlits link;
    EXPECT_EQ(link.until(5), 0);
    link.add(5);
    link.add(6);
    EXPECT_EQ(link.until(7), 2);
    EXPECT_EQ(link.until(8), 0);
    link.add(8);
    EXPECT_EQ(link.until(9), 1);
    link.set(20, 9);
    link.add(20);
    EXPECT_EQ(link.until(21), 10);
}

TEST(RouterRules, ThePoolTakesWhatPrivateBuffersDoNot) {
    const BufferSpace space{.private_flits = 3, .pool_flits = 4, .pool_flits_of_channel_max = 2};
    EXPECT_EQ(space.channel_flits_max(), 5);
    EXPECT_EQ(space.in_pool(3), 0);
    EXPECT_EQ(space.in_pool(5), 2);
    EXPECT_EQ(space.pool_change(2, 5), 2);
    EXPECT_EQ(space.pool_change(5, 3), -2);
    EXPECT_FALSE(space.is_pool_full(3));
    EXPECT_TRUE(space.is_pool_full(4));
    EXPECT_EQ(space.limit(true), 3);
    EXPECT_EQ(space.limit(false), 5);
}

}  // namespace

}  // namespace nocbench
