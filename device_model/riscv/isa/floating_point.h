// Single-precision instructions in integer arithmetic on bits: the same results on every host. Named after the
// instructions.
#pragma once

#include <cstdint>

namespace nocbench::riscv {

/// Numbered as in fields rm and frm, where 5 and 6 are reserved and 7 in rm stands for frm.
enum class RoundingMode : std::uint8_t {
    nearest_even = 0,
    toward_zero = 1,
    down = 2,
    up = 3,
    nearest_away = 4,
};

constexpr bool is_rounding_mode(std::uint8_t mode) {
    return mode <= static_cast<std::uint8_t>(RoundingMode::nearest_away);
}

/// Exception flags for register fflags.
enum FloatFlag : std::uint8_t {
    kInexact = 1 << 0,
    kUnderflow = 1 << 1,  // subnormal after rounding, and inexact
    kOverflow = 1 << 2,
    kDivisionByZero = 1 << 3,
    kInvalid = 1 << 4,
};

struct FloatResult {
    std::uint32_t value = 0;  // bits of a float, or an integer
    std::uint8_t flags = 0;

    bool operator==(const FloatResult&) const = default;
};

/// The only NaN that arithmetic returns.
inline constexpr std::uint32_t kCanonicalNan = 0x7fc00000;

FloatResult fadd_s(std::uint32_t a, std::uint32_t b, RoundingMode mode);
FloatResult fsub_s(std::uint32_t a, std::uint32_t b, RoundingMode mode);
FloatResult fmul_s(std::uint32_t a, std::uint32_t b, RoundingMode mode);
FloatResult fdiv_s(std::uint32_t a, std::uint32_t b, RoundingMode mode);
FloatResult fsqrt_s(std::uint32_t a, RoundingMode mode);

/// Round once: a * b + c, a * b - c, -(a * b) + c and -(a * b) - c.
FloatResult fmadd_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode);
FloatResult fmsub_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode);
FloatResult fnmsub_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode);
FloatResult fnmadd_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode);

/// Return the other operand if one is NaN; -0 is less than +0.
FloatResult fmin_s(std::uint32_t a, std::uint32_t b);
FloatResult fmax_s(std::uint32_t a, std::uint32_t b);

/// Return 1 or 0. Any NaN makes fle and flt invalid; only a signaling NaN makes feq invalid.
FloatResult feq_s(std::uint32_t a, std::uint32_t b);
FloatResult flt_s(std::uint32_t a, std::uint32_t b);
FloatResult fle_s(std::uint32_t a, std::uint32_t b);

/// Convert to integers. Out-of-range values are invalid and saturate; NaN gives the largest.
FloatResult fcvt_w_s(std::uint32_t a, RoundingMode mode);
FloatResult fcvt_wu_s(std::uint32_t a, RoundingMode mode);

/// Convert from integers.
FloatResult fcvt_s_w(std::uint32_t a, RoundingMode mode);
FloatResult fcvt_s_wu(std::uint32_t a, RoundingMode mode);

/// Returns the class of a number as one bit, numbered as in fclass.s.
std::uint32_t fclass_s(std::uint32_t a);

/// Return `a` with the sign of b, its opposite, or the product of both signs.
constexpr std::uint32_t fsgnj_s(std::uint32_t a, std::uint32_t b) { return (a & 0x7fffffff) | (b & 0x80000000); }
constexpr std::uint32_t fsgnjn_s(std::uint32_t a, std::uint32_t b) { return (a & 0x7fffffff) | (~b & 0x80000000); }
constexpr std::uint32_t fsgnjx_s(std::uint32_t a, std::uint32_t b) { return a ^ (b & 0x80000000); }

}  // namespace nocbench::riscv
