// Integer instructions that take more than a C++ operator, named after the instructions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace nocbench::riscv {

constexpr std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }
constexpr std::uint32_t as_unsigned(std::int32_t value) { return static_cast<std::uint32_t>(value); }

/// Shifts use the lower five bits of their amount.
constexpr std::uint32_t sll(std::uint32_t value, std::uint32_t amount) { return value << (amount & 31); }
constexpr std::uint32_t srl(std::uint32_t value, std::uint32_t amount) { return value >> (amount & 31); }
constexpr std::uint32_t sra(std::uint32_t value, std::uint32_t amount) {
    return as_unsigned(as_signed(value) >> (amount & 31));
}
constexpr std::uint32_t rol(std::uint32_t value, std::uint32_t amount) {
    return std::rotl(value, static_cast<int>(amount & 31));
}
constexpr std::uint32_t ror(std::uint32_t value, std::uint32_t amount) {
    return std::rotr(value, static_cast<int>(amount & 31));
}

constexpr std::uint32_t slt(std::uint32_t a, std::uint32_t b) { return as_signed(a) < as_signed(b) ? 1 : 0; }
constexpr std::uint32_t sltu(std::uint32_t a, std::uint32_t b) { return a < b ? 1 : 0; }

constexpr std::uint32_t min(std::uint32_t a, std::uint32_t b) {
    return as_unsigned(std::min(as_signed(a), as_signed(b)));
}
constexpr std::uint32_t minu(std::uint32_t a, std::uint32_t b) { return std::min(a, b); }
constexpr std::uint32_t max(std::uint32_t a, std::uint32_t b) {
    return as_unsigned(std::max(as_signed(a), as_signed(b)));
}
constexpr std::uint32_t maxu(std::uint32_t a, std::uint32_t b) { return std::max(a, b); }

/// Return the upper half of a product.
constexpr std::uint32_t mulh(std::uint32_t a, std::uint32_t b) {
    const std::int64_t product = std::int64_t{as_signed(a)} * as_signed(b);
    return static_cast<std::uint32_t>(product >> 32);
}
constexpr std::uint32_t mulhsu(std::uint32_t a, std::uint32_t b) {
    const std::int64_t product = std::int64_t{as_signed(a)} * std::int64_t{b};
    return static_cast<std::uint32_t>(product >> 32);
}
constexpr std::uint32_t mulhu(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t product = std::uint64_t{a} * b;
    return static_cast<std::uint32_t>(product >> 32);
}

/// True if a signed quotient exceeds its type.
constexpr bool quotient_overflows(std::uint32_t a, std::uint32_t b) {
    return as_signed(a) == std::numeric_limits<std::int32_t>::min() && as_signed(b) == -1;
}

/// Nothing traps: division by zero gives all ones and the dividend as remainder; overflow wraps.
constexpr std::uint32_t div(std::uint32_t a, std::uint32_t b) {
    if (b == 0) {
        return 0xffffffff;
    }
    return quotient_overflows(a, b) ? a : as_unsigned(as_signed(a) / as_signed(b));
}
constexpr std::uint32_t divu(std::uint32_t a, std::uint32_t b) { return b == 0 ? 0xffffffff : a / b; }
constexpr std::uint32_t rem(std::uint32_t a, std::uint32_t b) {
    if (b == 0) {
        return a;
    }
    return quotient_overflows(a, b) ? 0 : as_unsigned(as_signed(a) % as_signed(b));
}
constexpr std::uint32_t remu(std::uint32_t a, std::uint32_t b) { return b == 0 ? a : a % b; }

/// Return 32 for zero.
constexpr std::uint32_t clz(std::uint32_t value) { return static_cast<std::uint32_t>(std::countl_zero(value)); }
constexpr std::uint32_t ctz(std::uint32_t value) { return static_cast<std::uint32_t>(std::countr_zero(value)); }
constexpr std::uint32_t cpop(std::uint32_t value) { return static_cast<std::uint32_t>(std::popcount(value)); }

constexpr std::uint32_t sext_b(std::uint32_t value) { return as_unsigned(static_cast<std::int8_t>(value)); }
constexpr std::uint32_t sext_h(std::uint32_t value) { return as_unsigned(static_cast<std::int16_t>(value)); }
constexpr std::uint32_t zext_h(std::uint32_t value) { return value & 0xffff; }

/// Sets all bits of each nonzero byte.
constexpr std::uint32_t orc_b(std::uint32_t value) {
    constexpr std::uint32_t kLowBits = 0x01010101;
    std::uint32_t any = value;
    any |= any >> 4;
    any |= any >> 2;
    any |= any >> 1;
    return (any & kLowBits) * 0xff;
}

/// Reverses the bytes.
constexpr std::uint32_t rev8(std::uint32_t value) {
    return (value << 24) | ((value & 0xff00) << 8) | ((value >> 8) & 0xff00) | (value >> 24);
}

/// Returns the number of bits without leading zeros, which determines the time of a division.
constexpr int significant_bits(std::uint32_t value) { return static_cast<int>(std::bit_width(value)); }

}  // namespace nocbench::riscv
