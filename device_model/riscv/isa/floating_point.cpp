#include "device_model/riscv/isa/floating_point.h"

#include <algorithm>
#include <bit>

namespace nocbench::riscv {

namespace {

constexpr std::uint32_t kSignBit = 0x80000000;
constexpr std::uint32_t kInfinity = 0x7f800000;
constexpr std::uint32_t kLargest = 0x7f7fffff;
constexpr std::uint32_t kQuietBit = 0x00400000;
constexpr int kFractionBits = 23;
constexpr int kLeastExponent = -149;        // of the last bit of subnormal numbers
constexpr int kLeastNormalExponent = -126;  // of the first bit of the smallest normal number
constexpr int kBias = 127;

bool is_negative(std::uint32_t bits) { return (bits & kSignBit) != 0; }
bool is_nan(std::uint32_t bits) { return (bits & ~kSignBit) > kInfinity; }
bool is_signaling(std::uint32_t bits) { return is_nan(bits) && (bits & kQuietBit) == 0; }
bool is_infinite(std::uint32_t bits) { return (bits & ~kSignBit) == kInfinity; }
bool is_zero(std::uint32_t bits) { return (bits & ~kSignBit) == 0; }

std::uint32_t with_sign(bool negative, std::uint32_t magnitude) { return negative ? magnitude | kSignBit : magnitude; }

/// A finite number: significand times 2 to the power of exponent.
struct Number {
    bool negative;
    int exponent;
    std::uint64_t significand;
};

Number number_of(std::uint32_t bits) {
    const auto biased = static_cast<int>((bits >> kFractionBits) & 0xff);
    const std::uint32_t fraction = bits & 0x7fffff;
    return {.negative = is_negative(bits),
            .exponent = kLeastExponent + std::max(biased - 1, 0),
            .significand = biased == 0 ? fraction : fraction | 0x800000};
}

/// Shifts a nonzero significand up until its first bit is at `bit` or above.
Number with_first_bit_at(int bit, Number number) {
    const int shift = std::max(0, bit + 1 - static_cast<int>(std::bit_width(number.significand)));
    number.significand <<= shift;
    number.exponent -= shift;
    return number;
}

/// Shifts a significand down with a sticky last bit, so that it still rounds the same.
std::uint64_t moved_down(std::uint64_t significand, int shift) {
    if (shift >= 64) {
        return significand != 0 ? 1 : 0;
    }
    const std::uint64_t lost = significand & ((std::uint64_t{1} << shift) - 1);
    return (significand >> shift) | (lost != 0 ? 1 : 0);
}

/// A significand rounded to fewer bits.
struct Rounded {
    std::uint64_t significand;
    bool inexact;
};

/// True if the dropped bits round the rest up.
bool rounds_up(std::uint64_t kept, std::uint64_t rest, std::uint64_t half, bool negative, RoundingMode mode) {
    switch (mode) {
        case RoundingMode::nearest_even:
            return rest > half || (rest == half && (kept & 1) != 0);
        case RoundingMode::nearest_away:
            return rest >= half;
        case RoundingMode::down:
            return negative && rest != 0;
        case RoundingMode::up:
            return !negative && rest != 0;
        default:
            return false;
    }
}

/// Rounds off `shift` bits, at least one.
Rounded round_off(std::uint64_t significand, int shift, bool negative, RoundingMode mode) {
    if (shift >= 64) {
        // Less than a half is left: significands here are below 2 to the power of 63.
        significand = significand != 0 ? 1 : 0;
        shift = 63;
    }
    const std::uint64_t kept = significand >> shift;
    const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    return {.significand = kept + (rounds_up(kept, rest, half, negative, mode) ? 1U : 0U), .inexact = rest != 0};
}

FloatResult exactly(std::uint32_t value) { return {.value = value, .flags = 0}; }

FloatResult invalid() { return {.value = kCanonicalNan, .flags = kInvalid}; }

/// Returns the result for a NaN operand.
FloatResult of_nan(bool is_invalid) { return is_invalid ? invalid() : exactly(kCanonicalNan); }

FloatResult overflow(bool negative, RoundingMode mode) {
    const RoundingMode inward = negative ? RoundingMode::up : RoundingMode::down;
    const bool stays_finite = mode == RoundingMode::toward_zero || mode == inward;
    return {.value = with_sign(negative, stays_finite ? kLargest : kInfinity), .flags = kOverflow | kInexact};
}

constexpr int kWorkingBit = 62;

/// True if a number, rounded to 24 bits with unbounded exponent, is below the normal ones.
bool is_tiny(const Number& number, RoundingMode mode) {
    const int first = number.exponent + kWorkingBit;
    const Rounded rounded = round_off(number.significand, kWorkingBit - kFractionBits, number.negative, mode);
    const bool grew = rounded.significand == std::uint64_t{1} << (kFractionBits + 1);
    return first + (grew ? 1 : 0) < kLeastNormalExponent;
}

/// Rounds to the nearest float. Significands are below 2 to the power of 63, with a sticky last bit.
FloatResult round_to_float(const Number& exact, RoundingMode mode) {
    if (exact.significand == 0) {
        return exactly(with_sign(exact.negative, 0));
    }
    const Number number = with_first_bit_at(kWorkingBit, exact);
    const int first = number.exponent + kWorkingBit;
    if (first > kBias) {
        return overflow(number.negative, mode);
    }
    const int last = std::max(first - kFractionBits, kLeastExponent);
    const Rounded rounded = round_off(number.significand, last - number.exponent, number.negative, mode);
    // The leading bit of a normal significand, or a carry from rounding, adds one to the exponent.
    const auto magnitude = static_cast<std::uint32_t>(rounded.significand) +
                           (static_cast<std::uint32_t>(last - kLeastExponent) << kFractionBits);
    if (magnitude >= kInfinity) {
        return overflow(number.negative, mode);
    }
    const bool underflows = rounded.inexact && first < kLeastNormalExponent && is_tiny(number, mode);
    const int flags = (rounded.inexact ? kInexact : 0) | (underflows ? kUnderflow : 0);
    return {.value = with_sign(number.negative, magnitude), .flags = static_cast<std::uint8_t>(flags)};
}

/// Returns the zero that is the sum of two zeros or of numbers that cancel.
FloatResult sum_of_nothing(bool a_negative, bool b_negative, RoundingMode mode) {
    const bool negative = a_negative == b_negative ? a_negative : mode == RoundingMode::down;
    return exactly(with_sign(negative, 0));
}

Number sum_with_larger_first(const Number& larger, Number smaller) {
    smaller.significand = moved_down(smaller.significand, larger.exponent - smaller.exponent);
    if (larger.negative == smaller.negative) {
        return {.negative = larger.negative,
                .exponent = larger.exponent,
                .significand = larger.significand + smaller.significand};
    }
    const bool turns = smaller.significand > larger.significand;
    return {.negative = turns ? smaller.negative : larger.negative,
            .exponent = larger.exponent,
            .significand = turns ? smaller.significand - larger.significand : larger.significand - smaller.significand};
}

/// Significands have at most 48 bits. A shift down by two or more loses bits far below the result's; a smaller one
/// loses none.
FloatResult add_numbers(const Number& a, const Number& b, RoundingMode mode) {
    if (a.significand == 0 && b.significand == 0) {
        return sum_of_nothing(a.negative, b.negative, mode);
    }
    if (a.significand == 0 || b.significand == 0) {
        return round_to_float(a.significand == 0 ? b : a, mode);
    }
    const Number left = with_first_bit_at(kWorkingBit - 1, a);
    const Number right = with_first_bit_at(kWorkingBit - 1, b);
    const Number sum =
        left.exponent >= right.exponent ? sum_with_larger_first(left, right) : sum_with_larger_first(right, left);
    return sum.significand == 0 ? sum_of_nothing(a.negative, b.negative, mode) : round_to_float(sum, mode);
}

std::uint32_t negated(std::uint32_t bits) { return bits ^ kSignBit; }

/// Returns the integer square root, digit by digit.
std::uint64_t root_of(std::uint64_t square) {
    std::uint64_t root = 0;
    for (std::uint64_t digit = std::uint64_t{1} << 31; digit != 0; digit >>= 1) {
        const std::uint64_t tried = root | digit;
        root = tried * tried <= square ? tried : root;
    }
    return root;
}

/// Maps floats to integers of the same order; both zeros map to 0.
std::int64_t rank(std::uint32_t bits) {
    const std::int64_t magnitude = bits & ~kSignBit;
    return is_negative(bits) ? -magnitude : magnitude;
}

/// Compares with -0 below +0.
bool is_less_by_sign(std::uint32_t a, std::uint32_t b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : is_negative(a) && !is_negative(b);
}

FloatResult select(std::uint32_t a, std::uint32_t b, bool takes_a) {
    const std::uint8_t flags = is_signaling(a) || is_signaling(b) ? kInvalid : 0;
    if (is_nan(a) && is_nan(b)) {
        return {.value = kCanonicalNan, .flags = flags};
    }
    const bool has_only_b = is_nan(a);
    const bool has_only_a = is_nan(b);
    return {.value = has_only_a || (takes_a && !has_only_b) ? a : b, .flags = flags};
}

FloatResult truth(bool value) { return exactly(value ? 1 : 0); }

FloatResult not_comparable(bool is_invalid) {
    return {.value = 0, .flags = is_invalid ? std::uint8_t{kInvalid} : std::uint8_t{0}};
}

/// Rounds to an unsigned integer; values beyond 32 bits stay beyond.
Rounded round_to_integer(const Number& number, RoundingMode mode) {
    if (number.exponent >= 0) {
        const int shift = std::min(number.exponent, 32);
        return {.significand = number.significand << shift, .inexact = false};
    }
    return round_off(number.significand, -number.exponent, number.negative, mode);
}

/// Converts to an integer within [least, most].
FloatResult to_integer(std::uint32_t a, RoundingMode mode, std::int64_t least, std::int64_t most) {
    if (is_nan(a) || is_infinite(a)) {
        const bool is_least = is_infinite(a) && is_negative(a);
        return {.value = static_cast<std::uint32_t>(is_least ? least : most), .flags = kInvalid};
    }
    const Number number = number_of(a);
    const Rounded rounded = round_to_integer(number, mode);
    const auto magnitude = static_cast<std::int64_t>(rounded.significand);
    const std::int64_t value = number.negative ? -magnitude : magnitude;
    if (value < least || value > most) {
        return {.value = static_cast<std::uint32_t>(value < least ? least : most), .flags = kInvalid};
    }
    return {.value = static_cast<std::uint32_t>(value),
            .flags = rounded.inexact ? std::uint8_t{kInexact} : std::uint8_t{0}};
}

}  // namespace

FloatResult fadd_s(std::uint32_t a, std::uint32_t b, RoundingMode mode) {
    if (is_nan(a) || is_nan(b)) {
        return of_nan(is_signaling(a) || is_signaling(b));
    }
    if (is_infinite(a) && is_infinite(b)) {
        return a == b ? exactly(a) : invalid();
    }
    if (is_infinite(a) || is_infinite(b)) {
        return exactly(is_infinite(a) ? a : b);
    }
    return add_numbers(number_of(a), number_of(b), mode);
}

FloatResult fsub_s(std::uint32_t a, std::uint32_t b, RoundingMode mode) { return fadd_s(a, negated(b), mode); }

FloatResult fmul_s(std::uint32_t a, std::uint32_t b, RoundingMode mode) {
    const bool negative = is_negative(a) != is_negative(b);
    if (is_nan(a) || is_nan(b)) {
        return of_nan(is_signaling(a) || is_signaling(b));
    }
    if (is_infinite(a) || is_infinite(b)) {
        return is_zero(a) || is_zero(b) ? invalid() : exactly(with_sign(negative, kInfinity));
    }
    const Number left = number_of(a);
    const Number right = number_of(b);
    return round_to_float({.negative = negative,
                           .exponent = left.exponent + right.exponent,
                           .significand = left.significand * right.significand},
                          mode);
}

FloatResult fdiv_s(std::uint32_t a, std::uint32_t b, RoundingMode mode) {
    const bool negative = is_negative(a) != is_negative(b);
    if (is_nan(a) || is_nan(b)) {
        return of_nan(is_signaling(a) || is_signaling(b));
    }
    if (is_infinite(a)) {
        return is_infinite(b) ? invalid() : exactly(with_sign(negative, kInfinity));
    }
    if (is_infinite(b)) {
        return exactly(with_sign(negative, 0));
    }
    if (is_zero(b)) {
        return is_zero(a) ? invalid() : FloatResult{.value = with_sign(negative, kInfinity), .flags = kDivisionByZero};
    }
    if (is_zero(a)) {
        return exactly(with_sign(negative, 0));
    }
    const Number dividend = with_first_bit_at(kWorkingBit, number_of(a));
    const Number divisor = number_of(b);
    const std::uint64_t remainder = dividend.significand % divisor.significand;
    return round_to_float({.negative = negative,
                           .exponent = dividend.exponent - divisor.exponent,
                           .significand = (dividend.significand / divisor.significand) | (remainder != 0 ? 1U : 0U)},
                          mode);
}

FloatResult fsqrt_s(std::uint32_t a, RoundingMode mode) {
    if (is_nan(a)) {
        return of_nan(is_signaling(a));
    }
    if (is_zero(a) || a == kInfinity) {
        return exactly(a);
    }
    if (is_negative(a)) {
        return invalid();
    }
    Number square = with_first_bit_at(kWorkingBit - 1, number_of(a));
    if (square.exponent % 2 != 0) {
        square.significand <<= 1;
        --square.exponent;
    }
    const std::uint64_t root = root_of(square.significand);
    const bool is_cut = root * root != square.significand;
    return round_to_float(
        {.negative = false, .exponent = square.exponent / 2, .significand = root | (is_cut ? 1U : 0U)}, mode);
}

FloatResult fmadd_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode) {
    const bool negative = is_negative(a) != is_negative(b);
    const bool is_undefined = (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b));
    if (is_undefined || is_nan(a) || is_nan(b) || is_nan(c)) {
        return of_nan(is_undefined || is_signaling(a) || is_signaling(b) || is_signaling(c));
    }
    if (is_infinite(a) || is_infinite(b)) {
        const std::uint32_t product = with_sign(negative, kInfinity);
        return is_infinite(c) && c != product ? invalid() : exactly(product);
    }
    if (is_infinite(c)) {
        return exactly(c);
    }
    const Number left = number_of(a);
    const Number right = number_of(b);
    return add_numbers({.negative = negative,
                        .exponent = left.exponent + right.exponent,
                        .significand = left.significand * right.significand},
                       number_of(c), mode);
}

FloatResult fmsub_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode) {
    return fmadd_s(a, b, negated(c), mode);
}

FloatResult fnmsub_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode) {
    return fmadd_s(negated(a), b, c, mode);
}

FloatResult fnmadd_s(std::uint32_t a, std::uint32_t b, std::uint32_t c, RoundingMode mode) {
    return fmadd_s(negated(a), b, negated(c), mode);
}

FloatResult fmin_s(std::uint32_t a, std::uint32_t b) { return select(a, b, is_less_by_sign(a, b)); }

FloatResult fmax_s(std::uint32_t a, std::uint32_t b) { return select(a, b, is_less_by_sign(b, a)); }

FloatResult feq_s(std::uint32_t a, std::uint32_t b) {
    if (is_nan(a) || is_nan(b)) {
        return not_comparable(is_signaling(a) || is_signaling(b));
    }
    return truth(rank(a) == rank(b));
}

FloatResult flt_s(std::uint32_t a, std::uint32_t b) {
    return is_nan(a) || is_nan(b) ? not_comparable(true) : truth(rank(a) < rank(b));
}

FloatResult fle_s(std::uint32_t a, std::uint32_t b) {
    return is_nan(a) || is_nan(b) ? not_comparable(true) : truth(rank(a) <= rank(b));
}

FloatResult fcvt_w_s(std::uint32_t a, RoundingMode mode) { return to_integer(a, mode, INT32_MIN, INT32_MAX); }

FloatResult fcvt_wu_s(std::uint32_t a, RoundingMode mode) { return to_integer(a, mode, 0, UINT32_MAX); }

FloatResult fcvt_s_w(std::uint32_t a, RoundingMode mode) {
    const bool negative = is_negative(a);
    return round_to_float({.negative = negative, .exponent = 0, .significand = negative ? 0 - a : a}, mode);
}

FloatResult fcvt_s_wu(std::uint32_t a, RoundingMode mode) {
    return round_to_float({.negative = false, .exponent = 0, .significand = a}, mode);
}

std::uint32_t fclass_s(std::uint32_t a) {
    if (is_nan(a)) {
        return is_signaling(a) ? 1U << 8 : 1U << 9;
    }
    const std::uint32_t magnitude = a & ~kSignBit;
    // Counts from the infinities inward: infinity, normal, subnormal, zero.
    const bool is_normal = magnitude >= 0x00800000;
    const int inward = is_infinite(a) ? 0 : is_normal ? 1 : is_zero(a) ? 3 : 2;
    return 1U << (is_negative(a) ? inward : 7 - inward);
}

}  // namespace nocbench::riscv
