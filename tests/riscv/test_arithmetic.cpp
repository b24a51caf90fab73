#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device_model/riscv/isa/arithmetic.h"

namespace nocbench::riscv {

namespace {

/// Ends of ranges, their neighbours, and bit patterns.
const std::vector<std::uint32_t> kValues{
    0,          1,          2,          3,          5,          7,          10,         31,         32,
    33,         0x7f,       0x80,       0xff,       0x100,      0x7fff,     0x8000,     0xffff,     0x10000,
    0x00ff00ff, 0x01000001, 0x12345678, 0x40000000, 0x55555555, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
    0x80808080, 0x87654321, 0xaaaaaaaa, 0xc0000000, 0xfffeffff, 0xffff0000, 0xffff7fff, 0xffff8000, 0xffffff7f,
    0xffffff80, 0xfffffff6, 0xfffffffd, 0xfffffffe, 0xffffffff};

bool sign(std::uint32_t value) { return value >= 0x80000000; }

std::uint32_t magnitude(std::uint32_t value) { return sign(value) ? 0 - value : value; }

// ---- Reference implementations by other methods: in halves, bit by bit.

/// Returns the upper half of a product by long multiplication with 16-bit digits.
std::uint32_t upper_half(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t low = (a & 0xffff) * (b & 0xffff);
    const std::uint32_t middle_1 = (a >> 16) * (b & 0xffff);
    const std::uint32_t middle_2 = (a & 0xffff) * (b >> 16);
    const std::uint32_t carry = ((low >> 16) + (middle_1 & 0xffff) + (middle_2 & 0xffff)) >> 16;
    return (a >> 16) * (b >> 16) + (middle_1 >> 16) + (middle_2 >> 16) + carry;
}

struct Division {
    std::uint32_t quotient = 0;
    std::uint32_t remainder = 0;
};

/// Divides bit by bit, as hardware dividers do.
Division divide(std::uint32_t a, std::uint32_t b) {
    Division done;
    std::uint64_t rest = 0;
    for (int bit = 31; bit >= 0; --bit) {
        rest = 2 * rest + ((a >> bit) & 1);
        done.quotient *= 2;
        if (rest >= b) {
            rest -= b;
            ++done.quotient;
        }
    }
    done.remainder = static_cast<std::uint32_t>(rest);
    return done;
}

/// Applies table 11 of the manual, "semantics for division by zero and division overflow", and truncation otherwise.
Division divide_signed(std::uint32_t a, std::uint32_t b) {
    if (b == 0) {
        return {.quotient = 0xffffffff, .remainder = a};
    }
    const Division done = divide(magnitude(a), magnitude(b));
    return {.quotient = sign(a) != sign(b) ? 0 - done.quotient : done.quotient,
            .remainder = sign(a) ? 0 - done.remainder : done.remainder};
}

/// Returns the bits as text, highest bit first.
std::string text_of(std::uint32_t value) {
    std::string text;
    for (int bit = 31; bit >= 0; --bit) {
        text += ((value >> bit) & 1) != 0 ? '1' : '0';
    }
    return text;
}

std::uint32_t value_of(const std::string& text) { return static_cast<std::uint32_t>(std::stoul(text, nullptr, 2)); }

std::size_t zeros_in_front(const std::string& text) { return std::min(text.find('1'), text.size()); }

std::string reversed(const std::string& text) { return {text.rbegin(), text.rend()}; }

TEST(Arithmetic, ProductsAndQuotients) {
    for (const std::uint32_t a : kValues) {
        for (const std::uint32_t b : kValues) {
            const std::uint32_t upper = upper_half(a, b);
            EXPECT_EQ(mulhu(a, b), upper) << a << " " << b;
            // The signed value is the unsigned one minus 2^32 if negative.
            EXPECT_EQ(mulhsu(a, b), upper - (sign(a) ? b : 0)) << a << " " << b;
            EXPECT_EQ(mulh(a, b), upper - (sign(a) ? b : 0) - (sign(b) ? a : 0)) << a << " " << b;
            EXPECT_EQ(div(a, b), divide_signed(a, b).quotient) << a << " " << b;
            EXPECT_EQ(rem(a, b), divide_signed(a, b).remainder) << a << " " << b;
            EXPECT_EQ(divu(a, b), b == 0 ? 0xffffffff : divide(a, b).quotient) << a << " " << b;
            EXPECT_EQ(remu(a, b), b == 0 ? a : divide(a, b).remainder) << a << " " << b;
        }
    }
}

TEST(Arithmetic, DivisionAsTheManualSays) {
    EXPECT_EQ(div(0x80000000, 0xffffffff), 0x80000000);
    EXPECT_EQ(rem(0x80000000, 0xffffffff), 0U);
    EXPECT_EQ(div(7, 0), 0xffffffff);
    EXPECT_EQ(rem(7, 0), 7U);
    EXPECT_EQ(divu(7, 0), 0xffffffff);
    EXPECT_EQ(remu(7, 0), 7U);
    EXPECT_EQ(div(0xfffffff9, 2), 0xfffffffd);  // -7 / 2 = -3
    EXPECT_EQ(rem(0xfffffff9, 2), 0xffffffff);  // remainder -1
    EXPECT_EQ(rem(7, 0xfffffffe), 1U);
    EXPECT_EQ(mulh(0x80000000, 0x80000000), 0x40000000U);
    EXPECT_EQ(mulhsu(0x80000000, 0x80000000), 0xc0000000U);
    EXPECT_EQ(mulhu(0x80000000, 0x80000000), 0x40000000U);
    EXPECT_EQ(mulhsu(0xffffffff, 0xffffffff), 0xffffffffU);
    EXPECT_EQ(mulhu(0xffffffff, 0xffffffff), 0xfffffffeU);
    EXPECT_EQ(mulh(0xffffffff, 0xffffffff), 0U);
}

TEST(Arithmetic, ShiftsAndRotations) {
    for (const std::uint32_t value : kValues) {
        const std::string text = text_of(value);
        for (const std::uint32_t amount : kValues) {
            const std::size_t count = amount % 32;
            const std::string front = text.substr(0, 32 - count);
            const std::string back = text.substr(32 - count);
            EXPECT_EQ(sll(value, amount), value_of(text.substr(count) + std::string(count, '0')));
            EXPECT_EQ(srl(value, amount), value_of(std::string(count, '0') + front));
            EXPECT_EQ(sra(value, amount), value_of(std::string(count, text[0]) + front));
            EXPECT_EQ(ror(value, amount), value_of(back + front));
            EXPECT_EQ(rol(value, amount), value_of(text.substr(count) + text.substr(0, count)));
        }
    }
}

TEST(Arithmetic, Comparisons) {
    for (const std::uint32_t a : kValues) {
        for (const std::uint32_t b : kValues) {
            const bool below = text_of(a) < text_of(b);
            // Inverting the sign bit gives signed numbers the order of unsigned ones.
            const bool signed_below = text_of(a ^ 0x80000000) < text_of(b ^ 0x80000000);
            EXPECT_EQ(sltu(a, b), below ? 1U : 0U);
            EXPECT_EQ(slt(a, b), signed_below ? 1U : 0U);
            EXPECT_EQ(minu(a, b), below ? a : b);
            EXPECT_EQ(maxu(a, b), below ? b : a);
            EXPECT_EQ(min(a, b), signed_below ? a : b);
            EXPECT_EQ(max(a, b), signed_below ? b : a);
        }
    }
}

TEST(Arithmetic, Bits) {
    for (const std::uint32_t value : kValues) {
        const std::string text = text_of(value);
        EXPECT_EQ(clz(value), zeros_in_front(text));
        EXPECT_EQ(ctz(value), zeros_in_front(reversed(text)));
        EXPECT_EQ(cpop(value), static_cast<std::size_t>(std::ranges::count(text, '1')));
        EXPECT_EQ(significant_bits(value), 32 - static_cast<int>(zeros_in_front(text)));
        EXPECT_EQ(sext_b(value), value_of(std::string(24, text[24]) + text.substr(24)));
        EXPECT_EQ(sext_h(value), value_of(std::string(16, text[16]) + text.substr(16)));
        EXPECT_EQ(zext_h(value), value_of(std::string(16, '0') + text.substr(16)));
        std::string combined;
        std::string backward;
        for (std::size_t byte = 0; byte < 32; byte += 8) {
            const std::string digits = text.substr(byte, 8);
            combined += std::string(8, digits.find('1') == std::string::npos ? '0' : '1');
            backward.insert(0, digits);
        }
        EXPECT_EQ(orc_b(value), value_of(combined));
        EXPECT_EQ(rev8(value), value_of(backward));
    }
}

}  // namespace

}  // namespace nocbench::riscv
