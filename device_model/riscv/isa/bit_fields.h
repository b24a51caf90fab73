// Taking instruction words apart.
#pragma once

#include <cstdint>

#include "device_model/riscv/isa/instruction.h"

namespace nocbench::riscv {

/// `count` (at most 31) bits of a word from bit `low` on.
constexpr std::uint32_t field(std::uint32_t word, int low, int count) {
    return (word >> low) & ((std::uint32_t{1} << count) - 1);
}

/// The same bits, put at bit `to`: immediates are spread over a word.
constexpr std::uint32_t moved(std::uint32_t word, int low, int count, int to) { return field(word, low, count) << to; }

/// The number that has these `bits` in two's complement.
constexpr std::int32_t sign_extended(std::uint32_t value, int bits) {
    const int unused = 32 - bits;
    return static_cast<std::int32_t>(value << unused) >> unused;
}

/// What an instruction writes that has this number of an integer register in its field rd.
constexpr std::uint8_t destination_of(std::uint32_t rd) { return rd == 0 ? kDiscard : static_cast<std::uint8_t>(rd); }

/// What stands for a word that is no instruction of the core.
constexpr Instruction illegal_instruction(std::uint32_t word, std::uint8_t bytes) {
    return {.operation = Operation::illegal, .bytes = bytes, .immediate = static_cast<std::int32_t>(word)};
}

}  // namespace nocbench::riscv
