#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "device_model/riscv/isa/floating_point.h"
#include "tests/support/thinning.h"

namespace nocbench::riscv {

/// Prints a result in failure messages; GoogleTest requires this function in the namespace of the type.
void PrintTo(const FloatResult& result, std::ostream* stream) {
    *stream << fmt::format("{:08x} {:05b}", result.value, result.flags);
}

namespace {

using enum RoundingMode;

constexpr std::array kModes{nearest_even, toward_zero, down, up, nearest_away};
constexpr std::uint8_t kNX = kInexact;
constexpr std::uint8_t kUF = kUnderflow | kInexact;
constexpr std::uint8_t kOF = kOverflow | kInexact;
constexpr std::uint8_t kDZ = kDivisionByZero;
constexpr std::uint8_t kNV = kInvalid;

std::string text_of(const FloatResult& result) { return fmt::format("{:08x} {:05b}", result.value, result.flags); }

// ---- Known cases. Encodings: 1.0 is 3f800000, the smallest normal number 00800000, the largest 7f7fffff.

struct Case {
    std::function<FloatResult(RoundingMode)> operation;
    std::array<FloatResult, 5> expected;  // by rounding mode
};

std::array<FloatResult, 5> always(std::uint32_t value, std::uint8_t flags = 0) {
    const FloatResult result{.value = value, .flags = flags};
    return {result, result, result, result, result};
}

std::array<FloatResult, 5> by_mode(const std::array<std::uint32_t, 5>& values, std::uint8_t flags) {
    std::array<FloatResult, 5> results;
    for (std::size_t i = 0; i < 5; ++i) {
        results.at(i) = {.value = values.at(i), .flags = flags};
    }
    return results;
}

void expect_all(const std::vector<Case>& cases) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (std::size_t mode = 0; mode < 5; ++mode) {
            EXPECT_EQ(cases[i].operation(kModes.at(mode)), cases[i].expected.at(mode))
                << "case " << i << " mode " << mode;
        }
    }
}

Case sum(std::uint32_t a, std::uint32_t b, const std::array<FloatResult, 5>& expected) {
    return {[=](RoundingMode mode) { return fadd_s(a, b, mode); }, expected};
}
Case product(std::uint32_t a, std::uint32_t b, const std::array<FloatResult, 5>& expected) {
    return {[=](RoundingMode mode) { return fmul_s(a, b, mode); }, expected};
}
Case quotient(std::uint32_t a, std::uint32_t b, const std::array<FloatResult, 5>& expected) {
    return {[=](RoundingMode mode) { return fdiv_s(a, b, mode); }, expected};
}
Case root(std::uint32_t a, const std::array<FloatResult, 5>& expected) {
    return {[=](RoundingMode mode) { return fsqrt_s(a, mode); }, expected};
}
Case fused(std::uint32_t a, std::uint32_t b, std::uint32_t c, const std::array<FloatResult, 5>& expected) {
    return {[=](RoundingMode mode) { return fmadd_s(a, b, c, mode); }, expected};
}

TEST(FloatingPoint, Sums) {
    expect_all({
        sum(0x3f800000, 0x3f800000, always(0x40000000)),
        // 1 + half an ulp: to even, down, down, up, away; and 1 + ulp + half an ulp
        sum(0x3f800000, 0x33800000, by_mode({0x3f800000, 0x3f800000, 0x3f800000, 0x3f800001, 0x3f800001}, kNX)),
        sum(0x3f800001, 0x33800000, by_mode({0x3f800002, 0x3f800001, 0x3f800001, 0x3f800002, 0x3f800002}, kNX)),
        sum(0xbf800000, 0xb3800000, by_mode({0xbf800000, 0xbf800000, 0xbf800001, 0xbf800000, 0xbf800001}, kNX)),
        // Far below the last bit, with either sign
        sum(0x3f800000, 0x00000001, by_mode({0x3f800000, 0x3f800000, 0x3f800000, 0x3f800001, 0x3f800000}, kNX)),
        sum(0x3f800000, 0x80000001, by_mode({0x3f800000, 0x3f7fffff, 0x3f7fffff, 0x3f800000, 0x3f800000}, kNX)),
        // Zeros and cancellation
        sum(0x00000000, 0x80000000, by_mode({0, 0, 0x80000000, 0, 0}, 0)),
        sum(0x80000000, 0x80000000, always(0x80000000)),
        sum(0x3f800000, 0xbf800000, by_mode({0, 0, 0x80000000, 0, 0}, 0)),
        sum(0x3f800001, 0xbf800000, always(0x34000000)),
        // Subnormal sums are exact
        sum(0x00000001, 0x00000001, always(0x00000002)),
        sum(0x007fffff, 0x00000001, always(0x00800000)),
        sum(0x00800000, 0x80000001, always(0x007fffff)),
        // Overflow
        sum(0x7f7fffff, 0x7f7fffff, by_mode({0x7f800000, 0x7f7fffff, 0x7f7fffff, 0x7f800000, 0x7f800000}, kOF)),
        sum(0xff7fffff, 0xff7fffff, by_mode({0xff800000, 0xff7fffff, 0xff800000, 0xff7fffff, 0xff800000}, kOF)),
        // Half an ulp above the largest number, where rounding decides, and less
        sum(0x7f7fffff, 0x73000000,
            {{{0x7f800000, kOF}, {0x7f7fffff, kNX}, {0x7f7fffff, kNX}, {0x7f800000, kOF}, {0x7f800000, kOF}}}),
        sum(0x7f7fffff, 0x72ffffff,
            {{{0x7f7fffff, kNX}, {0x7f7fffff, kNX}, {0x7f7fffff, kNX}, {0x7f800000, kOF}, {0x7f7fffff, kNX}}}),
        sum(0x7f800000, 0x7f7fffff, always(0x7f800000)),
        sum(0x7f800000, 0xff800000, always(kCanonicalNan, kNV)),
        sum(0x7fc12345, 0x3f800000, always(kCanonicalNan)),
        sum(0xffc00000, 0x7f800000, always(kCanonicalNan)),
        sum(0x3f800000, 0x7f800001, always(kCanonicalNan, kNV)),
    });
    EXPECT_EQ(fsub_s(0x3f800000, 0x3f800000, down), (FloatResult{0x80000000, 0}));
    EXPECT_EQ(fsub_s(0x00000000, 0x00000000, nearest_even), (FloatResult{0, 0}));
    EXPECT_EQ(fsub_s(0x7f800000, 0x7f800000, nearest_even), (FloatResult{kCanonicalNan, kNV}));
}

TEST(FloatingPoint, Products) {
    expect_all({
        product(0x40400000, 0xc0a00000, always(0xc1700000)),  // 3 * -5
        product(0x00000000, 0xbf800000, always(0x80000000)),
        // Half of the smallest number
        product(0x00000001, 0x3f000000, by_mode({0, 0, 0, 1, 1}, kUF)),
        product(0x80000001, 0x3f000000, by_mode({0x80000000, 0x80000000, 0x80000001, 0x80000000, 0x80000001}, kUF)),
        product(0x00000003, 0x3f000000, by_mode({2, 1, 1, 2, 2}, kUF)),
        product(0x00000001, 0x00000001, by_mode({0, 0, 0, 1, 0}, kUF)),
        product(0x00000002, 0x3f000000, always(0x00000001)),
        // (1 + 2^-23) * (1 - 2^-24) * 2^-126 is above 2^-126 and therefore normal
        product(0x00800001, 0x3f7fffff, by_mode({0x00800000, 0x00800000, 0x00800000, 0x00800001, 0x00800000}, kNX)),
        // 2^-126 * (1 - 2^-24) fits 24 bits, so it is tiny even if it rounds to a normal number.
        product(0x00800000, 0x3f7fffff, by_mode({0x00800000, 0x007fffff, 0x007fffff, 0x00800000, 0x00800000}, kUF)),
        product(0x7f000000, 0x40000000, by_mode({0x7f800000, 0x7f7fffff, 0x7f7fffff, 0x7f800000, 0x7f800000}, kOF)),
        product(0x7f800000, 0x00000000, always(kCanonicalNan, kNV)),
        product(0x80000000, 0xff800000, always(kCanonicalNan, kNV)),
        product(0x7f800000, 0xbf800000, always(0xff800000)),
        product(0x7fffffff, 0x7f800000, always(kCanonicalNan)),
        product(0xff800001, 0x7fc00000, always(kCanonicalNan, kNV)),
    });
}

TEST(FloatingPoint, TinyIsJudgedAfterRounding) {
    // The first is 2^-126 * (1 - 2^-24), which fits 24 bits, so it is tiny for any rounded result. The second is above
    // 2^-126. The third is 2^-126 - 2^-151: with 24 bits, half of the modes round it to 2^-126, a normal number.
    expect_all({
        product(0x1fffffff, 0x20000000,
                {{{0x00800000, kUF}, {0x007fffff, kUF}, {0x007fffff, kUF}, {0x00800000, kUF}, {0x00800000, kUF}}}),
        product(0x1fffffff, 0x20000001,
                {{{0x00800000, kNX}, {0x00800000, kNX}, {0x00800000, kNX}, {0x00800001, kNX}, {0x00800000, kNX}}}),
        fused(0x80000001, 0x3e800000, 0x00800000,
              {{{0x00800000, kNX}, {0x007fffff, kUF}, {0x007fffff, kUF}, {0x00800000, kNX}, {0x00800000, kNX}}}),
    });
}

TEST(FloatingPoint, Quotients) {
    expect_all({
        quotient(0x3f800000, 0x40400000, by_mode({0x3eaaaaab, 0x3eaaaaaa, 0x3eaaaaaa, 0x3eaaaaab, 0x3eaaaaab}, kNX)),
        quotient(0xbf800000, 0x40400000, by_mode({0xbeaaaaab, 0xbeaaaaaa, 0xbeaaaaab, 0xbeaaaaaa, 0xbeaaaaab}, kNX)),
        quotient(0x40c00000, 0x40000000, always(0x40400000)),
        quotient(0x3f800000, 0x00000000, always(0x7f800000, kDZ)),
        quotient(0x3f800000, 0x80000000, always(0xff800000, kDZ)),
        quotient(0x00000000, 0x80000000, always(kCanonicalNan, kNV)),
        quotient(0x7f800000, 0xff800000, always(kCanonicalNan, kNV)),
        quotient(0x7f800000, 0x00000000, always(0x7f800000)),
        quotient(0xbf800000, 0x7f800000, always(0x80000000)),
        quotient(0x80000000, 0x00000001, always(0x80000000)),
        quotient(0x00000001, 0x00000001, always(0x3f800000)),
        quotient(0x00000001, 0x40000000, by_mode({0, 0, 0, 1, 1}, kUF)),
        quotient(0x7f7fffff, 0x00000001, by_mode({0x7f800000, 0x7f7fffff, 0x7f7fffff, 0x7f800000, 0x7f800000}, kOF)),
        quotient(0x7fc00001, 0x00000000, always(kCanonicalNan)),
        quotient(0x7f800001, 0x00000000, always(kCanonicalNan, kNV)),
    });
}

TEST(FloatingPoint, Roots) {
    expect_all({
        root(0x40800000, always(0x40000000)),
        root(0x40000000, by_mode({0x3fb504f3, 0x3fb504f3, 0x3fb504f3, 0x3fb504f4, 0x3fb504f3}, kNX)),
        root(0x40400000, by_mode({0x3fddb3d7, 0x3fddb3d7, 0x3fddb3d7, 0x3fddb3d8, 0x3fddb3d7}, kNX)),
        root(0x00000001, by_mode({0x1a3504f3, 0x1a3504f3, 0x1a3504f3, 0x1a3504f4, 0x1a3504f3}, kNX)),
        root(0x00000002, always(0x1a800000)),
        root(0x00000000, always(0x00000000)),
        root(0x80000000, always(0x80000000)),
        root(0x7f800000, always(0x7f800000)),
        root(0xff800000, always(kCanonicalNan, kNV)),
        root(0xbf800000, always(kCanonicalNan, kNV)),
        root(0x80000001, always(kCanonicalNan, kNV)),
        root(0xffc00000, always(kCanonicalNan)),
        root(0x7fa00000, always(kCanonicalNan, kNV)),
    });
}

TEST(FloatingPoint, FusedMultiplications) {
    expect_all({
        fused(0x40000000, 0x40400000, 0x3f800000, always(0x40e00000)),  // 2 * 3 + 1
        // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46: exact with a single rounding
        fused(0x3f800001, 0x3f800001, 0xbf800002, always(0x28800000)),
        // 2^127 * 2 - 2^127: the product alone would overflow
        fused(0x7f000000, 0x40000000, 0xff000000, always(0x7f000000)),
        fused(0x3f800000, 0x00000000, 0x80000000, by_mode({0, 0, 0x80000000, 0, 0}, 0)),
        fused(0xbf800000, 0x00000000, 0x80000000, always(0x80000000)),
        fused(0x00000001, 0x00000001, 0x00000000, by_mode({0, 0, 0, 1, 0}, kUF)),
        fused(0x00000001, 0x00000001, 0x3f800000,
              by_mode({0x3f800000, 0x3f800000, 0x3f800000, 0x3f800001, 0x3f800000}, kNX)),
        fused(0x7f800000, 0x3f800000, 0xff800000, always(kCanonicalNan, kNV)),
        fused(0x7f800000, 0x3f800000, 0x7f800000, always(0x7f800000)),
        fused(0x3f800000, 0x3f800000, 0xff800000, always(0xff800000)),
        // Infinity times zero is invalid even if a NaN is added
        fused(0x7f800000, 0x00000000, 0x7fc00000, always(kCanonicalNan, kNV)),
        fused(0x00000000, 0xff800000, 0x3f800000, always(kCanonicalNan, kNV)),
        fused(0x3f800000, 0x3f800000, 0x7fc00000, always(kCanonicalNan)),
        fused(0x3f800000, 0x3f800000, 0x7f800001, always(kCanonicalNan, kNV)),
    });
}

TEST(FloatingPoint, SignsOfFusedMultiplications) {
    const std::uint32_t two = 0x40000000;
    const std::uint32_t three = 0x40400000;
    const std::uint32_t one = 0x3f800000;
    EXPECT_EQ(fmadd_s(two, three, one, nearest_even), (FloatResult{0x40e00000, 0}));   // 7
    EXPECT_EQ(fmsub_s(two, three, one, nearest_even), (FloatResult{0x40a00000, 0}));   // 5
    EXPECT_EQ(fnmsub_s(two, three, one, nearest_even), (FloatResult{0xc0a00000, 0}));  // -5
    EXPECT_EQ(fnmadd_s(two, three, one, nearest_even), (FloatResult{0xc0e00000, 0}));  // -7
    // Rounding applies to the signed result: -(1 * 1) - 2^-24
    EXPECT_EQ(fnmadd_s(one, one, 0x33800000, up), (FloatResult{0xbf800000, kNX}));
    EXPECT_EQ(fnmadd_s(one, one, 0x33800000, down), (FloatResult{0xbf800001, kNX}));
    // -(1 * 1) + 1
    EXPECT_EQ(fnmsub_s(one, one, one, nearest_even), (FloatResult{0, 0}));
    EXPECT_EQ(fnmsub_s(one, one, one, down), (FloatResult{0x80000000, 0}));
}

TEST(FloatingPoint, LeastAndGreatest) {
    EXPECT_EQ(fmin_s(0x3f800000, 0xbf800000), (FloatResult{0xbf800000, 0}));
    EXPECT_EQ(fmax_s(0x3f800000, 0xbf800000), (FloatResult{0x3f800000, 0}));
    for (const auto& [a, b] : {std::pair{0x00000000U, 0x80000000U}, std::pair{0x80000000U, 0x00000000U}}) {
        EXPECT_EQ(fmin_s(a, b), (FloatResult{0x80000000, 0}));
        EXPECT_EQ(fmax_s(a, b), (FloatResult{0x00000000, 0}));
    }
    for (const std::uint32_t quiet : {0x7fc00000U, 0xffc12345U}) {
        EXPECT_EQ(fmin_s(quiet, 0x3f800000), (FloatResult{0x3f800000, 0}));
        EXPECT_EQ(fmax_s(0xff800000, quiet), (FloatResult{0xff800000, 0}));
        EXPECT_EQ(fmax_s(quiet, quiet), (FloatResult{kCanonicalNan, 0}));
    }
    EXPECT_EQ(fmin_s(0x7f800001, 0x3f800000), (FloatResult{0x3f800000, kNV}));
    EXPECT_EQ(fmax_s(0x7fc00000, 0xff800001), (FloatResult{kCanonicalNan, kNV}));
    EXPECT_EQ(fmin_s(0xff800000, 0xff7fffff), (FloatResult{0xff800000, 0}));
    EXPECT_EQ(fmax_s(0x00000001, 0x00000002), (FloatResult{0x00000002, 0}));
    EXPECT_EQ(fmin_s(0x80000001, 0x80000002), (FloatResult{0x80000002, 0}));
}

TEST(FloatingPoint, Comparisons) {
    const std::vector<std::uint32_t> in_order{0xff800000, 0xff7fffff, 0xbf800000, 0x80800000, 0x80000001, 0x00000000,
                                              0x00000001, 0x00800000, 0x3f800000, 0x7f7fffff, 0x7f800000};
    for (std::size_t i = 0; i < in_order.size(); ++i) {
        for (std::size_t j = 0; j < in_order.size(); ++j) {
            EXPECT_EQ(feq_s(in_order[i], in_order[j]), (FloatResult{i == j ? 1U : 0U, 0}));
            EXPECT_EQ(flt_s(in_order[i], in_order[j]), (FloatResult{i < j ? 1U : 0U, 0}));
            EXPECT_EQ(fle_s(in_order[i], in_order[j]), (FloatResult{i <= j ? 1U : 0U, 0}));
        }
    }
    EXPECT_EQ(feq_s(0x80000000, 0), (FloatResult{1, 0}));
    EXPECT_EQ(flt_s(0x80000000, 0), (FloatResult{0, 0}));
    EXPECT_EQ(fle_s(0, 0x80000000), (FloatResult{1, 0}));
    for (const std::uint32_t number : in_order) {
        for (const std::uint32_t quiet : {0x7fc00000U, 0xffffffffU}) {
            EXPECT_EQ(feq_s(number, quiet), (FloatResult{0, 0}));
            EXPECT_EQ(flt_s(quiet, number), (FloatResult{0, kNV}));
            EXPECT_EQ(fle_s(number, quiet), (FloatResult{0, kNV}));
        }
        EXPECT_EQ(feq_s(0x7f800001, number), (FloatResult{0, kNV}));
    }
    EXPECT_EQ(fle_s(0x7fc00000, 0x7fc00000), (FloatResult{0, kNV}));
    EXPECT_EQ(feq_s(0x7fc00000, 0x7fc00000), (FloatResult{0, 0}));
}

TEST(FloatingPoint, Classes) {
    const std::vector<std::uint32_t> by_class{0xff800000, 0xff7fffff, 0x807fffff, 0x80000000, 0x00000000,
                                              0x00000001, 0x00800000, 0x7f800000, 0x7fbfffff, 0x7fc00000};
    for (std::size_t i = 0; i < by_class.size(); ++i) {
        EXPECT_EQ(fclass_s(by_class[i]), 1U << i);
    }
    EXPECT_EQ(fclass_s(0x3f800000), 1U << 6);
    EXPECT_EQ(fclass_s(0xbf800000), 1U << 1);
    EXPECT_EQ(fclass_s(0xff800001), 1U << 8);
    EXPECT_EQ(fclass_s(0xffffffff), 1U << 9);
}

TEST(FloatingPoint, Signs) {
    EXPECT_EQ(fsgnj_s(0x3f800000, 0x80000000), 0xbf800000U);
    EXPECT_EQ(fsgnj_s(0xff800001, 0x00000000), 0x7f800001U);  // this instruction keeps a NaN's payload
    EXPECT_EQ(fsgnjn_s(0x3f800000, 0x80000000), 0x3f800000U);
    EXPECT_EQ(fsgnjn_s(0x3f800000, 0x3f800000), 0xbf800000U);
    EXPECT_EQ(fsgnjx_s(0xbf800000, 0xbf800000), 0x3f800000U);
    EXPECT_EQ(fsgnjx_s(0xbf800000, 0x3f800000), 0xbf800000U);
}

TEST(FloatingPoint, ToIntegers) {
    const auto to_signed = [](std::uint32_t a) { return [=](RoundingMode mode) { return fcvt_w_s(a, mode); }; };
    const auto to_unsigned = [](std::uint32_t a) { return [=](RoundingMode mode) { return fcvt_wu_s(a, mode); }; };
    expect_all({
        {to_signed(0x00000000), always(0)},
        {to_signed(0x80000000), always(0)},
        {to_signed(0x3f800000), always(1)},
        {to_signed(0x3f000000), by_mode({0, 0, 0, 1, 1}, kNX)},  // 0.5
        {to_signed(0x3fc00000), by_mode({2, 1, 1, 2, 2}, kNX)},  // 1.5
        {to_signed(0x40200000), by_mode({2, 2, 2, 3, 3}, kNX)},  // 2.5
        {to_signed(0xc0200000), by_mode({0xfffffffe, 0xfffffffe, 0xfffffffd, 0xfffffffe, 0xfffffffd}, kNX)},
        {to_signed(0x00000001), by_mode({0, 0, 0, 1, 0}, kNX)},
        {to_signed(0x4effffff), always(0x7fffff80)},
        {to_signed(0x4f000000), always(0x7fffffff, kNV)},  // 2^31
        {to_signed(0xcf000000), always(0x80000000)},
        {to_signed(0xcf000001), always(0x80000000, kNV)},
        {to_signed(0x7f800000), always(0x7fffffff, kNV)},
        {to_signed(0xff800000), always(0x80000000, kNV)},
        {to_signed(0x7fc00000), always(0x7fffffff, kNV)},
        {to_signed(0xffc00000), always(0x7fffffff, kNV)},
        {to_signed(0x7f7fffff), always(0x7fffffff, kNV)},
        {to_unsigned(0x4f7fffff), always(0xffffff00)},
        {to_unsigned(0x4f800000), always(0xffffffff, kNV)},                               // 2^32
        {to_unsigned(0xbf000000), {{{0, kNX}, {0, kNX}, {0, kNV}, {0, kNX}, {0, kNV}}}},  // -0.5
        {to_unsigned(0xbf400000), {{{0, kNV}, {0, kNX}, {0, kNV}, {0, kNX}, {0, kNV}}}},  // -0.75
        {to_unsigned(0xbf800000), always(0, kNV)},
        {to_unsigned(0x80000001), {{{0, kNX}, {0, kNX}, {0, kNV}, {0, kNX}, {0, kNX}}}},
        {to_unsigned(0x80000000), always(0)},
        {to_unsigned(0x7fc00000), always(0xffffffff, kNV)},
        {to_unsigned(0xff800001), always(0xffffffff, kNV)},
        {to_unsigned(0xff800000), always(0, kNV)},
    });
}

TEST(FloatingPoint, FromIntegers) {
    const auto of_signed = [](std::uint32_t a) { return [=](RoundingMode mode) { return fcvt_s_w(a, mode); }; };
    const auto of_unsigned = [](std::uint32_t a) { return [=](RoundingMode mode) { return fcvt_s_wu(a, mode); }; };
    expect_all({
        {of_signed(0), always(0)},
        {of_signed(1), always(0x3f800000)},
        {of_signed(0xffffffff), always(0xbf800000)},
        {of_signed(0x80000000), always(0xcf000000)},
        {of_signed(0x7fffffff), by_mode({0x4f000000, 0x4effffff, 0x4effffff, 0x4f000000, 0x4f000000}, kNX)},
        {of_signed(0x01000001), by_mode({0x4b800000, 0x4b800000, 0x4b800000, 0x4b800001, 0x4b800001}, kNX)},
        {of_signed(0xfeffffff), by_mode({0xcb800000, 0xcb800000, 0xcb800001, 0xcb800000, 0xcb800001}, kNX)},
        {of_unsigned(0xffffffff), by_mode({0x4f800000, 0x4f7fffff, 0x4f7fffff, 0x4f800000, 0x4f800000}, kNX)},
        {of_unsigned(0x80000000), always(0x4f000000)},
        {of_unsigned(0), always(0)},
    });
}

// ---- Reference: floating-point unit of the host.

/// Generator of operands that interact: whole exponents, few bits, ends of ranges, and random ones.
class Operands {
public:
    std::uint32_t next() {
        const std::uint64_t bits = random();
        const auto any = static_cast<std::uint32_t>(bits);
        switch (bits >> 61) {
            case 0:
                return kSpecial.at((bits >> 32) % kSpecial.size()) ^ (any & 0x80000000);
            case 1:  // near a power of two
                return (any & 0xff800000) + static_cast<std::uint32_t>((bits >> 32) % 5) - 2;
            case 2:  // near one
                return 0x3f000000 + (any & 0x80ffffff);
            case 3:  // near the smallest normal number
                return any & 0x81ffffff;
            case 4:  // few bits
                return any & 0xfff00000;
            default:
                return any;
        }
    }

private:
    std::uint64_t random() {
        state_ += 0x9e3779b97f4a7c15;
        std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

    static constexpr std::array<std::uint32_t, 16> kSpecial{
        0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x3f000000,
        0x3f7fffff, 0x3f800000, 0x3f800001, 0x4b800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000};
    std::uint64_t state_ = 29;
};

int mode_of_machine(RoundingMode mode) {
    switch (mode) {
        case toward_zero:
            return FE_TOWARDZERO;
        case down:
            return FE_DOWNWARD;
        case up:
            return FE_UPWARD;
        default:
            return FE_TONEAREST;
    }
}

std::uint8_t flags_of_machine() {
    const int raised = std::fetestexcept(FE_ALL_EXCEPT);
    int flags = (raised & FE_INEXACT) != 0 ? kInexact : 0;
    flags |= (raised & FE_UNDERFLOW) != 0 ? kUnderflow : 0;
    flags |= (raised & FE_OVERFLOW) != 0 ? kOverflow : 0;
    flags |= (raised & FE_DIVBYZERO) != 0 ? kDivisionByZero : 0;
    flags |= (raised & FE_INVALID) != 0 ? kInvalid : 0;
    return static_cast<std::uint8_t>(flags);
}

struct ThreeOperands {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t c = 0;
};

using OnMachine = float (*)(float a, float b, float c);

/// Computes in a rounding mode of the host. Operands and result go through memory, so that the compiler keeps the
/// computation between the calls that set the mode and read the flags.
FloatResult machine_result(OnMachine operation, const ThreeOperands& operands, RoundingMode mode) {
    const volatile auto a = std::bit_cast<float>(operands.a);
    const volatile auto b = std::bit_cast<float>(operands.b);
    const volatile auto c = std::bit_cast<float>(operands.c);
    std::fesetround(mode_of_machine(mode));
    std::feclearexcept(FE_ALL_EXCEPT);
    const volatile float computed = operation(a, b, c);
    const std::uint8_t flags = flags_of_machine();
    std::fesetround(FE_TONEAREST);
    const float value = computed;
    return {.value = std::isnan(value) ? kCanonicalNan : std::bit_cast<std::uint32_t>(value), .flags = flags};
}

__attribute__((noinline)) float add_on_machine(float a, float b, float) { return a + b; }
__attribute__((noinline)) float subtract_on_machine(float a, float b, float) { return a - b; }
__attribute__((noinline)) float multiply_on_machine(float a, float b, float) { return a * b; }
__attribute__((noinline)) float divide_on_machine(float a, float b, float) { return a / b; }
__attribute__((noinline)) float root_on_machine(float a, float, float) { return std::sqrt(a); }
__attribute__((noinline)) float fuse_on_machine(float a, float b, float c) { return std::fma(a, b, c); }

/// Sum of two doubles, as rounded sum and rounding error (Knuth).
struct ExactSum {
    double value;
    double rest;
};

ExactSum exact_sum(double a, double b) {
    const double value = a + b;
    const double b_there = value - a;
    return {.value = value, .rest = (a - (value - b_there)) + (b - b_there)};
}

/// Returns true for a number midway between two adjacent floats. The midpoint is exact in double.
bool is_middle(const ExactSum& exact, std::uint32_t low, std::uint32_t high) {
    const double middle = (double{std::bit_cast<float>(low)} + double{std::bit_cast<float>(high)}) / 2;
    return exact.value == middle && exact.rest == 0;
}

using Exact = std::function<bool(const ThreeOperands& operands, std::uint32_t low, std::uint32_t high)>;

double number(std::uint32_t bits) { return double{std::bit_cast<float>(bits)}; }

bool is_middle_of_sum(const ThreeOperands& operands, std::uint32_t low, std::uint32_t high) {
    return is_middle(exact_sum(number(operands.a), number(operands.b)), low, high);
}
bool is_middle_of_difference(const ThreeOperands& operands, std::uint32_t low, std::uint32_t high) {
    return is_middle(exact_sum(number(operands.a), -number(operands.b)), low, high);
}
bool is_middle_of_product(const ThreeOperands& operands, std::uint32_t low, std::uint32_t high) {
    return is_middle({.value = number(operands.a) * number(operands.b), .rest = 0}, low, high);
}
bool is_middle_of_quotient(const ThreeOperands& operands, std::uint32_t low, std::uint32_t high) {
    return (number(low) + number(high)) / 2 * number(operands.b) == number(operands.a);
}
bool is_never_middle(const ThreeOperands&, std::uint32_t, std::uint32_t) { return false; }
bool is_middle_of_fused(const ThreeOperands& operands, std::uint32_t low, std::uint32_t high) {
    return is_middle(exact_sum(number(operands.a) * number(operands.b), number(operands.c)), low, high);
}

bool is_finite(std::uint32_t bits) { return (bits & 0x7f800000) != 0x7f800000; }

/// Returns the result for rounding ties away from zero, a mode that the host lacks: on a tie, the neighbour of larger
/// magnitude.
FloatResult away_result(OnMachine operation, const Exact& is_exactly_between, const ThreeOperands& operands) {
    const FloatResult nearest = machine_result(operation, operands, nearest_even);
    const FloatResult low = machine_result(operation, operands, down);
    const FloatResult high = machine_result(operation, operands, up);
    const bool has_middle = is_finite(low.value) && is_finite(high.value) && low.value != high.value;
    if (!has_middle || !is_exactly_between(operands, low.value, high.value)) {
        return nearest;
    }
    const FloatResult away = (nearest.value & 0x80000000) != 0 ? low : high;
    // Flags depend on the result, regardless of the mode that gave it.
    return away;
}

struct Compared {
    const char* name;
    OnMachine on_machine;
    Exact is_middle;
    std::function<FloatResult(const ThreeOperands&, RoundingMode)> here;
};

const std::vector<Compared> kCompared{
    {"fadd.s", add_on_machine, is_middle_of_sum,
     [](const ThreeOperands& x, RoundingMode mode) { return fadd_s(x.a, x.b, mode); }},
    {"fsub.s", subtract_on_machine, is_middle_of_difference,
     [](const ThreeOperands& x, RoundingMode mode) { return fsub_s(x.a, x.b, mode); }},
    {"fmul.s", multiply_on_machine, is_middle_of_product,
     [](const ThreeOperands& x, RoundingMode mode) { return fmul_s(x.a, x.b, mode); }},
    {"fdiv.s", divide_on_machine, is_middle_of_quotient,
     [](const ThreeOperands& x, RoundingMode mode) { return fdiv_s(x.a, x.b, mode); }},
    {"fsqrt.s", root_on_machine, is_never_middle,
     [](const ThreeOperands& x, RoundingMode mode) { return fsqrt_s(x.a, mode); }},
    {"fmadd.s", fuse_on_machine, is_middle_of_fused,
     [](const ThreeOperands& x, RoundingMode mode) { return fmadd_s(x.a, x.b, x.c, mode); }},
};

/// Masks permitted differences between hosts: tininess may be detected before rounding, and infinity times zero plus
/// NaN need not be invalid.
FloatResult comparable(FloatResult result, const ThreeOperands& operands) {
#ifndef __x86_64__
    result.flags = static_cast<std::uint8_t>(result.flags & ~kUnderflow);
#endif
    const bool has_nan = (operands.c & 0x7fffffff) > 0x7f800000;
    result.flags = static_cast<std::uint8_t>(result.flags & ~(has_nan ? kInvalid : 0));
    return result;
}

void compare(const Compared& compared, const ThreeOperands& operands) {
    for (const RoundingMode mode : kModes) {
        const FloatResult expected = mode == nearest_away
                                         ? away_result(compared.on_machine, compared.is_middle, operands)
                                         : machine_result(compared.on_machine, operands, mode);
        const FloatResult found = compared.here(operands, mode);
        if (comparable(found, operands) != comparable(expected, operands)) {
            ADD_FAILURE() << compared.name
                          << fmt::format(" {:08x} {:08x} {:08x} mode {}: expected {}, found {}", operands.a, operands.b,
                                         operands.c, static_cast<int>(mode), text_of(expected), text_of(found));
        }
    }
}

TEST(FloatingPoint, AgreesWithTheMachine) {
    Operands random;
    for (int i = 0; i < test::thinned(60'000, 10); ++i) {
        const ThreeOperands operands{.a = random.next(), .b = random.next(), .c = random.next()};
        for (const Compared& compared : kCompared) {
            compare(compared, operands);
        }
    }
}

TEST(FloatingPoint, SumsThatNearlyCancelAgreeWithTheMachine) {
    Operands random;
    for (int i = 0; i < test::thinned(30'000, 10); ++i) {
        const std::uint32_t a = random.next();
        const std::uint32_t b = random.next();
        const std::uint32_t product_with_sign = fmul_s(a, b, nearest_even).value ^ 0x80000000;
        const std::uint32_t near = product_with_sign + static_cast<std::uint32_t>(i % 7) - 3;
        compare(kCompared.back(), {.a = a, .b = b, .c = near});
        compare(kCompared.front(), {.a = a, .b = (a ^ 0x80000000) + static_cast<std::uint32_t>(i % 9) - 4, .c = 0});
    }
}

/// Rounds to a whole number as the host does; in the fifth mode, like std::round.
double whole_number(double value, RoundingMode mode) {
    std::fesetround(mode_of_machine(mode));
    const volatile double exact = value;
    const volatile double rounded = std::nearbyint(exact);
    std::fesetround(FE_TONEAREST);
    return mode == nearest_away ? std::round(value) : rounded;
}

FloatResult clamped(std::uint32_t bits, RoundingMode mode, double least, double most) {
    const double value = number(bits);
    if (std::isnan(value)) {
        return {.value = static_cast<std::uint32_t>(most), .flags = kNV};
    }
    const double rounded = whole_number(value, mode);
    if (rounded < least || rounded > most) {
        return {.value = static_cast<std::uint32_t>(static_cast<std::int64_t>(rounded < least ? least : most)),
                .flags = kNV};
    }
    return {.value = static_cast<std::uint32_t>(static_cast<std::int64_t>(rounded)),
            .flags = rounded != value ? kNX : std::uint8_t{0}};
}

/// Rounds to a float. Doubles show on which side of the midpoint the value is.
FloatResult as_float(double value, RoundingMode mode) {
    std::fesetround(mode_of_machine(mode));
    const volatile double exact = value;
    const volatile auto rounded = static_cast<float>(exact);
    std::fesetround(FE_TONEAREST);
    float result = rounded;
    if (mode == nearest_away) {
        const float beyond = std::nextafter(result, value < 0 ? -INFINITY : INFINITY);
        result = std::abs(double{beyond} - value) == std::abs(double{result} - value) ? beyond : result;
    }
    return {.value = std::bit_cast<std::uint32_t>(result), .flags = double{result} != value ? kNX : std::uint8_t{0}};
}

TEST(FloatingPoint, ConversionsAgreeWithTheMachine) {
    Operands random;
    for (int i = 0; i < test::thinned(100'000, 10); ++i) {
        std::uint32_t bits = random.next();
        if (i % 2 == 0) {  // numbers within the range of integers
            bits = (bits & 0x807fffff) | (((bits >> 23) % 36 + 125) << 23);
        }
        for (const RoundingMode mode : kModes) {
            EXPECT_EQ(fcvt_w_s(bits, mode), clamped(bits, mode, INT32_MIN, INT32_MAX)) << bits;
            EXPECT_EQ(fcvt_wu_s(bits, mode), clamped(bits, mode, 0, UINT32_MAX)) << bits;
            EXPECT_EQ(fcvt_s_w(bits, mode), as_float(static_cast<std::int32_t>(bits), mode)) << bits;
            EXPECT_EQ(fcvt_s_wu(bits, mode), as_float(bits, mode)) << bits;
        }
    }
}

/// Results do not depend on the caller's rounding mode.
TEST(FloatingPoint, RoundingOfTheMachineDoesNotMatter) {
    std::fesetround(FE_UPWARD);
    const FloatResult found = fdiv_s(0x3f800000, 0x40400000, down);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(found, (FloatResult{0x3eaaaaaa, kNX}));
}

}  // namespace

}  // namespace nocbench::riscv
