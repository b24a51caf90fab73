// What instructions compute from single-precision numbers, on their bits and by integers alone: the same on every
// machine, whatever it computes with and however that is set. Named after the instructions.
#pragma once

#include <cstdint>

namespace nocbench::riscv {

/// As the fields rm and frm number them; there, 5 and 6 are reserved and 7 in rm stands for frm.
enum class RoundingMode : std::uint8_t {
    nearest_even = 0,
    toward_zero = 1,
    down = 2,
    up = 3,
    nearest_away = 4,
};

/// What an operation may add to the register fflags.
enum FloatFlag : std::uint8_t {
    kInexact = 1 << 0,
    kUnderflow = 1 << 1,  // below the normal numbers after rounding, and inexact
    kOverflow = 1 << 2,
    kDivisionByZero = 1 << 3,
    kInvalid = 1 << 4,
};

struct FloatResult {
    std::uint32_t value = 0;  // bits of a float, or an integer
    std::uint8_t flags = 0;

    bool operator==(const FloatResult&) const = default;
};

/// The only result of arithmetic that is not a number.
inline constexpr std::uint32_t kCanonicalNan = 0x7fc00000;

FloatResult fadd_s(std::uint32_t a, std::uint32_t b, RoundingMode mode);
FloatResult fsub_s(std::uint32_t a, std::uint32_t b, RoundingMode mode);
FloatResult fmul_s(std::uint32_t a, std::uint32_t b, RoundingMode mode);
FloatResult fdiv_s(std::uint32_t a, std::uint32_t b, RoundingMode mode);
FloatResult fsqrt_s(std::uint32_t a, RoundingMode mode);

/// Rounded once: a * b + c, a * b - c, -(a * b) + c and -(a * b) - c.
FloatResult fmadd_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode);
FloatResult fmsub_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode);
FloatResult fnmsub_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode);
FloatResult fnmadd_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode);

/// The number, if only one of them is one; -0 is less than +0.
FloatResult fmin_s(std::uint32_t a, std::uint32_t b);
FloatResult fmax_s(std::uint32_t a, std::uint32_t b);

/// 1 or 0. Not a number makes fle and flt invalid; feq only where it is a signaling one.
FloatResult feq_s(std::uint32_t a, std::uint32_t b);
FloatResult flt_s(std::uint32_t a, std::uint32_t b);
FloatResult fle_s(std::uint32_t a, std::uint32_t b);

/// To integers; what does not fit is invalid and gives the nearest that does, and what is not a number the largest.
FloatResult fcvt_w_s(std::uint32_t a, RoundingMode mode);
FloatResult fcvt_wu_s(std::uint32_t a, RoundingMode mode);

/// From integers.
FloatResult fcvt_s_w(std::uint32_t a, RoundingMode mode);
FloatResult fcvt_s_wu(std::uint32_t a, RoundingMode mode);

/// One bit for what kind of number it is, as fclass.s numbers them.
std::uint32_t fclass_s(std::uint32_t a);

/// `a` with the sign of b, the opposite one, and with both signs multiplied.
constexpr std::uint32_t fsgnj_s(std::uint32_t a, std::uint32_t b) { return (a & 0x7fffffff) | (b & 0x80000000); }
constexpr std::uint32_t fsgnjn_s(std::uint32_t a, std::uint32_t b) { return (a & 0x7fffffff) | (~b & 0x80000000); }
constexpr std::uint32_t fsgnjx_s(std::uint32_t a, std::uint32_t b) { return a ^ (b & 0x80000000); }

}  // namespace nocbench::riscv
