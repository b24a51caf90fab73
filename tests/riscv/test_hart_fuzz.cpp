// A hart ends every kernel, or reports its fault in one line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "device_model/riscv/guest_fault.h"
#include "device_model/riscv/isa/decode.h"
#include "device_model/sim/error.h"
#include "tests/riscv/tile_harts.h"
#include "tests/support/thinning.h"

namespace nocbench::test {

namespace {

constexpr Cycle kCyclesMax = 3'000;

std::vector<std::byte> bytes_of(const std::vector<std::uint32_t>& words) {
    const auto bytes = std::as_bytes(std::span(words));
    return {bytes.begin(), bytes.end()};
}

/// Returns values that may be addresses, lengths, or arbitrary numbers.
std::uint32_t interesting(std::mt19937& random) {
    constexpr auto kBegins = std::to_array<std::uint32_t>({0, 0x10, kCodeBegin, 0x20000, 0x16e000, 0x180000, 0xFFB00000,
                                                           0xFFB00FF0, 0xFFB02000, 0xFFB12000, 0xFFB20000, 0xFFB20400,
                                                           0xFFB20800, 0xFFB30000, 0xFFB40000, 0xFFB7F000, 0xFFFFFFF0});
    switch (random() % 4) {
        case 0:
            return static_cast<std::uint32_t>(random());
        case 1:
            return static_cast<std::uint32_t>(random() % 64);
        default:
            return kBegins[random() % kBegins.size()] + static_cast<std::uint32_t>(random() % 64) * 4;
    }
}

/// Returns a valid instruction word of the chip, usually one with side effects.
std::uint32_t random_word(std::mt19937& random, riscv::Extensions extensions) {
    constexpr auto kOpcodes = std::to_array<std::uint32_t>(
        {0x03, 0x03, 0x23, 0x23, 0x13, 0x13, 0x33, 0x37, 0x63, 0x63, 0x6f, 0x67, 0x2f, 0x73, 0x53});
    for (int attempt = 0; attempt < 20; ++attempt) {
        auto word = static_cast<std::uint32_t>(random());
        word = (word & ~0x7fU) | kOpcodes[random() % kOpcodes.size()];
        if ((word & 0x7f) == 0x63 || (word & 0x7f) == 0x6f) {
            // Limits jumps to a few instructions, forward and backward.
            const auto distance = static_cast<std::uint32_t>(random() % 16) * 4 - 32;
            word = (word & 0x7f) == 0x63
                       ? (word & 0x01fff07f) | (distance >> 12 & 1) << 31 | (distance >> 5 & 63) << 25 |
                             (distance >> 1 & 15) << 8 | (distance >> 11 & 1) << 7
                       : (word & 0xfff) | (distance >> 20 & 1) << 31 | (distance >> 1 & 0x3ff) << 21 |
                             (distance >> 11 & 1) << 20 | (distance >> 12 & 0xff) << 12;
        } else if ((word & 0x7f) == 0x03 || (word & 0x7f) == 0x23) {
            word &= 0xf1ffffff;  // offset near the base
        }
        if (random() % 16 == 0) {
            word = static_cast<std::uint32_t>(random());
        }
        const riscv::Operation operation = riscv::decode(word, extensions).operation;
        if (operation != riscv::Operation::illegal || random() % 64 == 0) {
            return word;
        }
    }
    return 0x13;
}

struct Outcome {
    int ended = 0;
    int failed = 0;
};

/// Runs two harts of one tile and one hart of another tile, each with its own code and registers.
void run_random(std::uint32_t seed, const std::string& board, Outcome& outcome) {
    std::mt19937 random(seed);
    Machine machine(board);
    const riscv::Extensions extensions = extensions_of(machine.architecture().riscv);
    int num_ended = 0;
    for (int hart = 0; hart < 3; ++hart) {
        std::vector<std::uint32_t> words(1 + random() % 64);
        for (std::uint32_t& word : words) {
            word = random_word(random, extensions);
        }
        words.back() = random() % 4 == 0 ? words.back() : 0x00008067;  // return
        InitialRegisters registers;
        for (std::uint8_t number = random() % 2 == 0 ? 1 : 3; number < riscv::kDiscard; ++number) {
            registers.emplace_back(number, interesting(random));
        }
        machine.add_kernel({{hart == 2 ? 1 : 0, 0}, hart % 2, hart % 2}, [&num_ended, words, registers] {
            try {
                run_hart(bytes_of(words), registers, true);
                ++num_ended;
            } catch (const riscv::GuestFault& fault) {
                throw KernelError(fault.what());
            }
        });
    }
    std::string error;
    try {
        machine.run(kCyclesMax);
    } catch (const KernelError& failure) {
        error = failure.what();
        ASSERT_NE(error, "");
        // An error has one line; a program that does not end adds one line per kernel.
        const bool does_not_end = error.starts_with("deadlock") || error.starts_with("the program still runs");
        ASSERT_TRUE(does_not_end || error.find('\n') == std::string::npos) << error;
    }
    ASSERT_TRUE(!error.empty() || num_ended == 3);
    ++(error.empty() ? outcome.ended : outcome.failed);
}

class HartFuzz : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, HartFuzz, testing::Values("n150", "p150"), [](const auto& test) { return test.param; });

TEST_P(HartFuzz, RandomKernelsEndOrAreRefused) {
    Outcome outcome;
    const std::uint32_t first = 1;
    for (std::uint32_t seed = first; seed < first + thinned(1000U, 5U); ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        run_random(seed, GetParam(), outcome);
        if (HasFatalFailure()) {
            return;
        }
    }
    EXPECT_GT(outcome.failed, 100);
    RecordProperty("ended", outcome.ended);
}

/// Records written by a kernel that never ends.
TEST_P(HartFuzz, WhatKernelsRecordIsBounded) {
    for (const auto& [function, expected] :
         {std::pair{1, "profiler: expected no more than 100 zones within each other"},
          {3, "profiler: expected no more than 100000 zones and recorded values in all"},
          {4, "print: expected no more than 1048576 bytes in all"},
          {5, "print: expected no more than 1048576 bytes in all"}}) {
        Machine machine(GetParam());
        std::string fault;
        const std::string program = fmt::format(
            "addi a7, zero, {}\n li a1, 0x61616161\n sw a1, 0(sp)\n loop: addi a0, {}, 0\n ecall\n jal zero, loop",
            function, function == 5 ? "zero" : "sp");
        machine.add_kernel({{0, 0}, 0, 0}, [&] {
            try {
                run_hart(assembled(program), {}, true);
            } catch (const riscv::GuestFault& found) {
                fault = found.what();
            }
        });
        machine.run(100'000'000);
        EXPECT_EQ(fault, expected);
    }
}

}  // namespace

}  // namespace nocbench::test
