// Bit fields of instruction words.
#pragma once

#include <cstdint>

#include "device_model/riscv/isa/instruction.h"

namespace nocbench::riscv {

/// Returns `count` (at most 31) bits of a word from bit `low`.
constexpr std::uint32_t field(std::uint32_t word, int low, int count) {
    return (word >> low) & ((std::uint32_t{1} << count) - 1);
}

/// Returns the same bits shifted to bit `to`: immediates are scattered over a word.
constexpr std::uint32_t moved(std::uint32_t word, int low, int count, int to) { return field(word, low, count) << to; }

/// Interprets the lowest `bits` as two's complement.
constexpr std::int32_t sign_extended(std::uint32_t value, int bits) {
    const int unused = 32 - bits;
    return static_cast<std::int32_t>(value << unused) >> unused;
}

/// Returns the destination for an integer register number in field rd; kDiscard for x0.
constexpr std::uint8_t destination_of(std::uint32_t rd) { return rd == 0 ? kDiscard : static_cast<std::uint8_t>(rd); }

/// Returns the stand-in for a word that the core cannot execute.
constexpr Instruction illegal_instruction(std::uint32_t word, std::uint8_t bytes) {
    return {.operation = Operation::illegal, .bytes = bytes, .immediate = static_cast<std::int32_t>(word)};
}

}  // namespace nocbench::riscv
