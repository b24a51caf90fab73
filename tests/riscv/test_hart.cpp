// Effects of each instruction on registers and memory, executed by a hart. Expected values are computed here by methods
// other than the model's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "device_model/riscv/guest_fault.h"
#include "tests/riscv/hart_machine.h"

namespace nocbench::test {

namespace {

constexpr std::uint8_t kRa = 1;
constexpr std::uint8_t kA0 = 10;
constexpr std::uint8_t kA1 = 11;
constexpr std::uint8_t kA2 = 12;
constexpr std::uint8_t kA3 = 13;
constexpr std::uint8_t kA4 = 14;
constexpr std::uint8_t kA5 = 15;

constexpr std::string_view kEnd = "\njalr zero, 0(ra)\n";

std::string ending(std::string_view program) { return std::string(program) + std::string(kEnd); }

using Signed = std::int64_t;
using Unsigned = std::uint64_t;

Signed as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }
std::uint32_t low(Unsigned value) { return static_cast<std::uint32_t>(value); }
std::uint32_t low(Signed value) { return static_cast<std::uint32_t>(static_cast<Unsigned>(value)); }

constexpr auto kOperands =
    std::to_array<std::uint32_t>({0, 1, 2, 7, 31, 32, 0x7f, 0x80, 0xff, 0x8000, 0xffff, 0x12345678, 0x7fffffff,
                                  0x80000000, 0x80000001, 0xfedcba98, 0xfffffffe, 0xffffffff});

struct TwoOperands {
    std::string name;
    std::function<std::uint32_t(std::uint32_t, std::uint32_t)> expected;
};

/// Operations on two registers, and operations with an immediate second operand.
const std::vector<TwoOperands>& two_operands() {
    static const std::vector<TwoOperands> kAll{
        {"add", [](auto a, auto b) { return low(Unsigned{a} + b); }},
        {"sub", [](auto a, auto b) { return low(as_signed(a) - as_signed(b)); }},
        {"sll", [](auto a, auto b) { return low(Unsigned{a} << (b % 32)); }},
        {"srl", [](auto a, auto b) { return low(Unsigned{a} >> (b % 32)); }},
        {"sra", [](auto a, auto b) { return low(as_signed(a) >> (b % 32)); }},
        {"slt", [](auto a, auto b) { return as_signed(a) < as_signed(b) ? 1U : 0U; }},
        {"sltu", [](auto a, auto b) { return Unsigned{a} < Unsigned{b} ? 1U : 0U; }},
        {"xor", [](auto a, auto b) { return (a | b) - (a & b); }},
        {"or", [](auto a, auto b) { return low(Unsigned{a} + b - (a & b)); }},
        {"and", [](auto a, auto b) { return ~(~a | ~b); }},
        {"mul", [](auto a, auto b) { return low(Unsigned{a} * b); }},
        {"mulh", [](auto a, auto b) { return low((as_signed(a) * as_signed(b)) >> 32); }},
        {"mulhsu", [](auto a, auto b) { return low((as_signed(a) * static_cast<Signed>(b)) >> 32); }},
        {"mulhu", [](auto a, auto b) { return low((Unsigned{a} * b) >> 32); }},
        {"div", [](auto a, auto b) { return b == 0 ? 0xffffffff : low(as_signed(a) / as_signed(b)); }},
        {"divu", [](auto a, auto b) { return b == 0 ? 0xffffffff : a / b; }},
        {"rem", [](auto a, auto b) { return b == 0 ? a : low(as_signed(a) % as_signed(b)); }},
        {"remu", [](auto a, auto b) { return b == 0 ? a : a % b; }},
        {"sh1add", [](auto a, auto b) { return low(Unsigned{a} * 2 + b); }},
        {"sh2add", [](auto a, auto b) { return low(Unsigned{a} * 4 + b); }},
        {"sh3add", [](auto a, auto b) { return low(Unsigned{a} * 8 + b); }},
        {"andn", [](auto a, auto b) { return a - (a & b); }},
        {"orn", [](auto a, auto b) { return ~(b - (a & b)); }},
        {"xnor", [](auto a, auto b) { return ~((a | b) - (a & b)); }},
        {"max", [](auto a, auto b) { return as_signed(a) > as_signed(b) ? a : b; }},
        {"maxu", [](auto a, auto b) { return a > b ? a : b; }},
        {"min", [](auto a, auto b) { return as_signed(a) < as_signed(b) ? a : b; }},
        {"minu", [](auto a, auto b) { return a < b ? a : b; }},
        {"rol", [](auto a, auto b) { return low((Unsigned{a} << 32 | a) << (b % 32) >> 32); }},
        {"ror", [](auto a, auto b) { return low((Unsigned{a} << 32 | a) >> (b % 32)); }},
    };
    return kAll;
}

/// Runs `program` with a0 and a1. Returns the final registers.
std::array<std::uint32_t, 32> registers_after(std::string_view program, std::uint32_t a0, std::uint32_t a1) {
    HartMachine machine(ending(program), riscv_constants("blackhole"));
    machine.hart().set_integer(kA0, a0);
    machine.hart().set_integer(kA1, a1);
    machine.run();
    std::array<std::uint32_t, 32> registers{};
    for (std::size_t number = 0; number < registers.size(); ++number) {
        registers[number] = machine.hart().integer(static_cast<std::uint8_t>(number));
    }
    return registers;
}

TEST(HartInstructions, OfTwoRegisters) {
    for (const auto& [name, expected] : two_operands()) {
        SCOPED_TRACE(name);
        const std::string plain =
            fmt::format("{0} a2, a0, a1\n {0} a3, zero, a1\n {0} a4, a0, zero\n {0} a5, a0, a0", name);
        const std::string over_first = name + " a0, a0, a1";
        const std::string over_second = name + " a1, a0, a1";
        const std::string over_both = name + " a0, a0, a0";
        const std::string thrown_away = name + " zero, a0, a1\n addi a2, zero, 0";
        for (const std::uint32_t a : kOperands) {
            for (const std::uint32_t b : kOperands) {
                SCOPED_TRACE(fmt::format("0x{:x}, 0x{:x}", a, b));
                const auto after = registers_after(plain, a, b);
                ASSERT_EQ(after[kA2], expected(a, b));
                ASSERT_EQ(after[kA3], expected(0, b));
                ASSERT_EQ(after[kA4], expected(a, 0));
                ASSERT_EQ(after[kA5], expected(a, a));
                ASSERT_EQ(after[kA0], a);
                ASSERT_EQ(after[kA1], b);
            }
            const std::uint32_t b = kOperands[(a + 5) % kOperands.size()];
            ASSERT_EQ(registers_after(over_first, a, b)[kA0], expected(a, b));
            ASSERT_EQ(registers_after(over_second, a, b)[kA1], expected(a, b));
            ASSERT_EQ(registers_after(over_both, a, b)[kA0], expected(a, a));
            const auto after = registers_after(thrown_away, a, b);
            ASSERT_EQ(after[0], 0U);
            ASSERT_EQ(after[kA2], 0U);
        }
    }
}

TEST(HartInstructions, OfARegisterAndAnImmediate) {
    const std::map<std::string, std::string> immediate_forms{
        {"add", "addi"}, {"slt", "slti"}, {"sltu", "sltiu"}, {"xor", "xori"}, {"or", "ori"},
        {"and", "andi"}, {"sll", "slli"}, {"srl", "srli"},   {"sra", "srai"}, {"ror", "rori"}};
    std::size_t num_tested = 0;
    for (const auto& [name, expected] : two_operands()) {
        const auto form = immediate_forms.find(name);
        if (form == immediate_forms.end()) {
            continue;
        }
        ++num_tested;
        const bool is_shift = name == "sll" || name == "srl" || name == "sra" || name == "ror";
        for (const std::int32_t immediate :
             is_shift ? std::vector{0, 1, 15, 31} : std::vector{0, 1, -1, 255, 2047, -2048}) {
            SCOPED_TRACE(fmt::format("{} {}", form->second, immediate));
            const std::string program = fmt::format(
                "{0} a2, a0, {1}\n {0} a3, zero, {1}\n {0} zero, a0, {1}\n {0} a0, a0, {1}", form->second, immediate);
            for (const std::uint32_t a : kOperands) {
                const auto after = registers_after(program, a, 0);
                const std::uint32_t b = low(Signed{immediate});
                ASSERT_EQ(after[kA2], expected(a, b));
                ASSERT_EQ(after[kA3], expected(0, b));
                ASSERT_EQ(after[0], 0U);
                ASSERT_EQ(after[kA0], expected(a, b));
            }
        }
    }
    EXPECT_EQ(num_tested, immediate_forms.size());
}

TEST(HartInstructions, OfOneRegister) {
    struct OneOperand {
        std::string name;
        std::function<std::uint32_t(std::uint32_t)> expected;
    };
    const auto count_while = [](std::uint32_t a, bool from_top) {
        std::uint32_t count = 0;
        while (count < 32 && (a >> (from_top ? 31 - count : count) & 1) == 0) {
            ++count;
        }
        return count;
    };
    const auto by_byte = [](std::uint32_t a, const auto& act) {
        std::uint32_t result = 0;
        for (unsigned byte = 0; byte < 4; ++byte) {
            result |= act(a >> 8 * byte & 0xff, byte);
        }
        return result;
    };
    const std::vector<OneOperand> all{
        {"clz", [&](auto a) { return count_while(a, true); }},
        {"ctz", [&](auto a) { return count_while(a, false); }},
        {"cpop",
         [](auto a) {
             std::uint32_t count = 0;
             for (; a != 0; a &= a - 1) {
                 ++count;
             }
             return count;
         }},
        {"sext.b", [](auto a) { return low(as_signed(a << 24) >> 24); }},
        {"sext.h", [](auto a) { return low(as_signed(a << 16) >> 16); }},
        {"zext.h", [](auto a) { return a % 0x10000; }},
        {"orc.b", [&](auto a) { return by_byte(a, [](auto b, auto i) { return b == 0 ? 0 : 0xffU << 8 * i; }); }},
        {"rev8", [&](auto a) { return by_byte(a, [](auto b, auto i) { return b << 8 * (3 - i); }); }},
    };
    for (const auto& [name, expected] : all) {
        SCOPED_TRACE(name);
        const std::string program = fmt::format("{0} a2, a0\n {0} zero, a0\n {0} a3, zero\n {0} a0, a0", name);
        for (const std::uint32_t a : kOperands) {
            const auto after = registers_after(program, a, 0);
            ASSERT_EQ(after[kA2], expected(a)) << a;
            ASSERT_EQ(after[0], 0U);
            ASSERT_EQ(after[kA3], expected(0));
            ASSERT_EQ(after[kA0], expected(a));
        }
    }
}

TEST(HartInstructions, UpperImmediates) {
    const auto after = registers_after("lui a0, 0x80000\n auipc a1, 0x0\n auipc a2, 0xfffff\n lui zero, 0x1", 0, 0);
    EXPECT_EQ(after[kA0], 0x80000000);
    EXPECT_EQ(after[kA1], kCodeBegin + 4);
    EXPECT_EQ(after[kA2], kCodeBegin + 8 - 0x1000);
    EXPECT_EQ(after[0], 0U);
}

TEST(HartInstructions, Branches) {
    const std::vector<std::pair<std::string, std::function<bool(std::uint32_t, std::uint32_t)>>> all{
        {"beq", [](auto a, auto b) { return a == b; }},
        {"bne", [](auto a, auto b) { return a != b; }},
        {"blt", [](auto a, auto b) { return as_signed(a) < as_signed(b); }},
        {"bge", [](auto a, auto b) { return as_signed(a) >= as_signed(b); }},
        {"bltu", [](auto a, auto b) { return a < b; }},
        {"bgeu", [](auto a, auto b) { return a >= b; }},
    };
    for (const auto& [name, is_taken] : all) {
        // Branches forward, backward, and comparing a register with itself.
        const std::string program = fmt::format(
            "jal zero, forward\n back: addi a3, a3, 1\n jalr zero, 0(ra)\n forward: {0} a0, a1, over\n addi a2, a2, 1\n"
            "over: {0} a0, a0, own\n addi a4, a4, 1\n own: {0} a0, a1, back",
            name);
        for (const std::uint32_t a : kOperands) {
            for (const std::uint32_t b : kOperands) {
                SCOPED_TRACE(fmt::format("{} 0x{:x}, 0x{:x}", name, a, b));
                const auto after = registers_after(program, a, b);
                ASSERT_EQ(after[kA2], is_taken(a, b) ? 0U : 1U);
                ASSERT_EQ(after[kA3], is_taken(a, b) ? 1U : 0U);
                ASSERT_EQ(after[kA4], is_taken(a, a) ? 0U : 1U);
            }
        }
    }
}

TEST(HartInstructions, JumpsAndLinks) {
    // An odd target loses its lowest bit. The link is the address of the next instruction even if the jump uses the
    // link register.
    const auto after = registers_after(
        "addi a5, ra, 0\n jal a1, over\n addi a2, a2, 1\n over: auipc a0, 0x0\n jalr a0, 13(a0)\n addi a2, a2, 2\n"
        "addi a3, zero, 1\n addi ra, a5, 0",
        0, 0);
    EXPECT_EQ(after[kA1], kCodeBegin + 8);
    EXPECT_EQ(after[kA0], kCodeBegin + 20);
    EXPECT_EQ(after[kA2], 0U);
    EXPECT_EQ(after[kA3], 1U);
}

TEST(HartInstructions, JumpsOutsideReturnToTheCaller) {
    HartMachine machine("li a5, 0xffffff00\n addi a4, ra, 0\n jalr ra, 0(a5)\n addi a0, zero, 3\n jalr zero, 0(a4)",
                        riscv_constants("blackhole"));
    machine.run();
    EXPECT_EQ(machine.hart().integer(kA0), 3U);
}

TEST(HartInstructions, LoadsOfEveryWidth) {
    for (const std::string_view base : {"sp", "s0", "s1"}) {
        SCOPED_TRACE(base);
        HartMachine machine(
            ending(fmt::format("li a0, 0x89abcdef\n sw a0, 8({0})\n addi a1, {0}, 12\n lb a0, -4(a1)\n lb a2, -1(a1)\n"
                               "lbu a3, -4(a1)\n lh a4, -2(a1)\n lhu a5, -2(a1)\n lw a6, -4(a1)\n lw a1, -4(a1)\n"
                               "lw zero, 8({0})\n flw fa0, 8({0})",
                               base)),
            riscv_constants("blackhole"));
        machine.run();
        const riscv::Hart& hart = machine.hart();
        EXPECT_EQ(hart.integer(kA0), 0xffffffef);
        EXPECT_EQ(hart.integer(kA2), 0xffffff89);
        EXPECT_EQ(hart.integer(kA3), 0xefU);
        EXPECT_EQ(hart.integer(kA4), 0xffff89ab);
        EXPECT_EQ(hart.integer(kA5), 0x89abU);
        EXPECT_EQ(hart.integer(16), 0x89abcdef);
        EXPECT_EQ(hart.integer(kA1), 0x89abcdef);
        EXPECT_EQ(hart.integer(0), 0U);
        EXPECT_EQ(hart.float_bits(10), 0x89abcdef);
    }
}

TEST(HartInstructions, StoresOfEveryWidth) {
    for (const std::string_view base : {"sp", "s0", "s1"}) {
        SCOPED_TRACE(base);
        HartMachine machine(
            ending(fmt::format("li a0, 0x89abcdef\n fmv.w.x fa0, a0\n addi a1, zero, -1\n fsw fa0, 0({0})\n"
                               "sw a1, 4({0})\n sh a0, 4({0})\n sw a1, 8({0})\n sb a0, 9({0})\n"
                               "lw a2, 0({0})\n lw a3, 4({0})\n lw a4, 8({0})",
                               base)),
            riscv_constants("blackhole"));
        machine.run();
        EXPECT_EQ(machine.hart().integer(kA2), 0x89abcdef);
        EXPECT_EQ(machine.hart().integer(kA3), 0xffffcdef);
        EXPECT_EQ(machine.hart().integer(kA4), 0xffffefff);
    }
}

TEST(HartInstructions, Atomics) {
    const std::vector<TwoOperands> all{
        {"amoswap.w", [](auto, auto b) { return b; }},
        {"amoadd.w", [](auto a, auto b) { return a + b; }},
        {"amoxor.w", [](auto a, auto b) { return a ^ b; }},
        {"amoand.w", [](auto a, auto b) { return a & b; }},
        {"amoor.w", [](auto a, auto b) { return a | b; }},
        {"amomin.w", [](auto a, auto b) { return as_signed(a) < as_signed(b) ? a : b; }},
        {"amomax.w", [](auto a, auto b) { return as_signed(a) < as_signed(b) ? b : a; }},
        {"amominu.w", [](auto a, auto b) { return a < b ? a : b; }},
        {"amomaxu.w", [](auto a, auto b) { return a < b ? b : a; }},
    };
    for (const auto& [name, expected] : all) {
        for (const std::string_view base : {"sp", "s0"}) {
            const std::string program = fmt::format(
                "sw a0, 0({1})\n {0} a2, a1, ({1})\n lw a3, 0({1})\n sw a0, 0({1})\n {0} zero, a1, ({1})\n lw a4, "
                "0({1})\n"
                "sw a0, 0({1})\n {0} a1, a1, ({1})\n lw a5, 0({1})",
                name, base);
            for (const std::uint32_t a : kOperands) {
                for (const std::uint32_t b : {0U, 1U, 0x80000000U, 0xfffffffeU}) {
                    SCOPED_TRACE(fmt::format("{} 0x{:x} 0x{:x}", name, a, b));
                    const auto after = registers_after(program, a, b);
                    ASSERT_EQ(after[kA2], a);
                    ASSERT_EQ(after[kA3], expected(a, b));
                    ASSERT_EQ(after[kA4], expected(a, b));
                    ASSERT_EQ(after[kA1], a);
                    ASSERT_EQ(after[kA5], expected(a, b));
                }
            }
        }
    }
}

TEST(HartInstructions, StoresAreConditionalOnTheirReservation) {
    const auto after = registers_after(
        "sc.w a0, a1, (s0)\n lr.w a2, (s0)\n sc.w a3, a1, (s0)\n sc.w a4, a1, (s0)\n lr.w zero, (s0)\n addi a5, s0, 4\n"
        "sc.w a5, a1, (a5)\n lw a1, 0(s0)",
        0, 77);
    EXPECT_EQ(after[kA0], 1U);
    EXPECT_EQ(after[kA2], 0U);
    EXPECT_EQ(after[kA3], 0U);
    EXPECT_EQ(after[kA4], 1U);
    EXPECT_EQ(after[kA5], 1U);
    EXPECT_EQ(after[kA1], 77U);
}

TEST(HartInstructions, ControlRegisters) {
    const auto after = registers_after(
        "addi a0, zero, 255\n csrrw a1, fcsr, a0\n csrrs a2, fflags, zero\n csrrc a3, frm, a0\n csrrwi a4, fflags, 21\n"
        "csrrsi a5, fflags, 10\n csrrci a6, fflags, 1\n csrrs a7, fcsr, zero\n csrrw zero, frm, a0\n csrrs s2, frm, "
        "zero",
        0, 0);
    EXPECT_EQ(after[kA1], 0U);
    EXPECT_EQ(after[kA2], 0x1fU);
    EXPECT_EQ(after[kA3], 7U);
    EXPECT_EQ(after[kA4], 0x1fU);
    EXPECT_EQ(after[kA5], 21U);
    EXPECT_EQ(after[16], 31U);
    EXPECT_EQ(after[17], 30U);
    EXPECT_EQ(after[18], 7U);
}

TEST(HartInstructions, CountersOfCyclesAndInstructions) {
    const auto after = registers_after(
        "addi zero, zero, 0\n csrrs a0, cycle, zero\n csrrs a1, instret, zero\n csrrs a2, cycleh, zero\n"
        "csrrs a3, instreth, zero\n csrrs a4, time, zero",
        0, 0);
    EXPECT_EQ(after[kA0], 1U);
    EXPECT_EQ(after[kA1], 3U);
    EXPECT_EQ(after[kA2], 0U);
    EXPECT_EQ(after[kA3], 0U);
    EXPECT_EQ(after[kA4], 5U);
}

/// An immediate operand is not mistaken for a register with a pending load.
TEST(HartInstructions, ImmediatesOfControlRegistersAreNotWaitedFor) {
    HartMachine machine(ending("lw a1, 0(s0)\n csrrwi zero, fflags, 11"), riscv_constants("blackhole"));
    machine.run();
    EXPECT_EQ(machine.hart().now(), 3);
}

TEST(HartInstructions, FloatingPoint) {
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    const auto of_floats = [&](std::string_view instruction) {
        HartMachine machine(
            ending(
                fmt::format("fmv.w.x fa0, a0\n fmv.w.x fa1, a1\n fmv.w.x fa2, a2\n {}\n fmv.x.w a3, fa3", instruction)),
            riscv_constants("blackhole"));
        machine.hart().set_integer(kA0, bits(7.5F));
        machine.hart().set_integer(kA1, bits(-2.0F));
        machine.hart().set_integer(kA2, bits(0.25F));
        machine.run();
        return machine.hart().integer(kA3);
    };
    EXPECT_EQ(of_floats("fadd.s fa3, fa0, fa1"), bits(5.5F));
    EXPECT_EQ(of_floats("fsub.s fa3, fa0, fa1"), bits(9.5F));
    EXPECT_EQ(of_floats("fmul.s fa3, fa0, fa1"), bits(-15.0F));
    EXPECT_EQ(of_floats("fdiv.s fa3, fa0, fa1"), bits(-3.75F));
    EXPECT_EQ(of_floats("fsqrt.s fa3, fa2"), bits(0.5F));
    EXPECT_EQ(of_floats("fmadd.s fa3, fa0, fa1, fa2"), bits(-14.75F));
    EXPECT_EQ(of_floats("fmsub.s fa3, fa0, fa1, fa2"), bits(-15.25F));
    EXPECT_EQ(of_floats("fnmadd.s fa3, fa0, fa1, fa2"), bits(14.75F));
    EXPECT_EQ(of_floats("fnmsub.s fa3, fa0, fa1, fa2"), bits(15.25F));
    EXPECT_EQ(of_floats("fmin.s fa3, fa0, fa1"), bits(-2.0F));
    EXPECT_EQ(of_floats("fmax.s fa3, fa0, fa1"), bits(7.5F));
    EXPECT_EQ(of_floats("fsgnj.s fa3, fa0, fa1"), bits(-7.5F));
    EXPECT_EQ(of_floats("fsgnjn.s fa3, fa0, fa1"), bits(7.5F));
    EXPECT_EQ(of_floats("fsgnjx.s fa3, fa1, fa1"), bits(2.0F));
    EXPECT_EQ(of_floats("fcvt.w.s a4, fa1\n fcvt.s.w fa3, a4"), bits(-2.0F));
    EXPECT_EQ(of_floats("fcvt.wu.s a4, fa0, rtz\n fcvt.s.wu fa3, a4"), bits(7.0F));
    EXPECT_EQ(of_floats("feq.s a4, fa0, fa0\n fcvt.s.w fa3, a4"), bits(1.0F));
    EXPECT_EQ(of_floats("flt.s a4, fa0, fa1\n fcvt.s.w fa3, a4"), bits(0.0F));
    EXPECT_EQ(of_floats("fle.s a4, fa1, fa0\n fcvt.s.w fa3, a4"), bits(1.0F));
    EXPECT_EQ(of_floats("fclass.s a4, fa0\n fcvt.s.w fa3, a4"), bits(64.0F));
    // -3 / 2, with the rounding mode of the instruction or of the register.
    EXPECT_EQ(of_floats("csrrwi zero, frm, 2\n fdiv.s fa3, fa0, fa1\n fcvt.w.s a4, fa3\n fcvt.s.w fa3, a4"),
              bits(-4.0F));
    EXPECT_EQ(of_floats("csrrwi zero, frm, 2\n fdiv.s fa3, fa0, fa1\n fcvt.w.s a4, fa3, rup\n fcvt.s.w fa3, a4"),
              bits(-3.0F));
}

TEST(HartInstructions, CompressedCode) {
    HartMachine machine(
        ".half 0x4515  # c.li a0, 5\n"
        ".half 0x85aa  # c.mv a1, a0\n"
        "addi a2, a0, 1\n"
        ".half 0x157d  # c.addi a0, -1: back to here\n"
        ".half 0x95aa  # c.add a1, a0\n"
        ".half 0xfd75  # c.bnez a0, -4\n"
        ".half 0xc02e  # c.swsp a1, 0(sp)\n"
        ".half 0x4682  # c.lwsp a3, 0(sp)\n"
        ".half 0x2011  # c.jal 4\n"
        ".half 0x0000  # never executed\n"
        ".half 0x8706  # c.mv a4, ra\n"
        "li ra, 0xfffffff0\n"
        ".half 0x8082  # c.jr ra\n",
        riscv_constants("blackhole"));
    machine.run();
    EXPECT_EQ(machine.hart().integer(kA1), 15U);
    EXPECT_EQ(machine.hart().integer(kA2), 6U);
    EXPECT_EQ(machine.hart().integer(kA3), 15U);
    EXPECT_EQ(machine.hart().integer(kA4), kCodeBegin + 20);
    EXPECT_EQ(machine.hart().num_instructions(), 3U + 5 * 3 + 2 + 1 + 1 + 2 + 1);
    Cycle sum = 0;
    for (const Cycle cycles : machine.hart().cycles_by_place()) {
        sum += cycles;
    }
    EXPECT_EQ(sum, machine.hart().now());
}

TEST(HartInstructions, CallsOfTheEnvironment) {
    HartMachine machine(ending("addi a0, zero, 1\n ecall\n addi a0, a0, 1\n ecall\n fence\n fence.i"),
                        riscv_constants("blackhole"));
    machine.run();
    EXPECT_EQ(machine.bus().calls(), (std::vector<Cycle>{1, 5}));
    EXPECT_EQ(machine.hart().now(), 11);
}

std::string fault_of(std::string_view program, const std::string& arch = "blackhole") {
    HartMachine machine(program, riscv_constants(arch));
    return machine.fault();
}

constexpr std::string_view kRegions =
    "private memory 0xffb00000 to 0xffb00100, memory 0x1000 to 0x2000, registers 0x8000 to 0x8100, clock 0x9000 to "
    "0x9004";

TEST(HartFaults, AccessesThatCannotBe) {
    const auto nothing_is_there = [](std::string_view what, std::string_view address) {
        return fmt::format("{} at {}: nothing is there; there are {}", what, address, kRegions);
    };
    EXPECT_EQ(fault_of("lw a0, 2(s0)"), "load of 4 bytes at 0x1002: expected a multiple of 4");
    EXPECT_EQ(fault_of("lh a0, 1(sp)"), "load of 2 bytes at 0xffb00001: expected a multiple of 2");
    EXPECT_EQ(fault_of("lhu a0, 3(s1)"), "load of 2 bytes at 0x8003: expected a multiple of 2");
    EXPECT_EQ(fault_of("flw fa0, 1(s0)"), "load of 4 bytes at 0x1001: expected a multiple of 4");
    EXPECT_EQ(fault_of("sw a0, 2(sp)"), "store of 4 bytes at 0xffb00002: expected a multiple of 4");
    EXPECT_EQ(fault_of("sh a0, 1(s0)"), "store of 2 bytes at 0x1001: expected a multiple of 2");
    EXPECT_EQ(fault_of("fsw fa0, 2(s1)"), "store of 4 bytes at 0x8002: expected a multiple of 4");
    EXPECT_EQ(fault_of("lw a0, -4(s0)"), nothing_is_there("load of 4 bytes", "0xffc"));
    EXPECT_EQ(fault_of("lb a0, -1(s1)"), nothing_is_there("load of 1 bytes", "0x7fff"));
    EXPECT_EQ(fault_of("lw a0, 256(sp)"), nothing_is_there("load of 4 bytes", "0xffb00100"));
    EXPECT_EQ(fault_of("lw a0, -4(sp)"), nothing_is_there("load of 4 bytes", "0xffaffffc"));
    EXPECT_EQ(fault_of("sb a0, 256(s1)"), nothing_is_there("store of 1 bytes", "0x8100"));
    EXPECT_EQ(fault_of("sw a0, -4(zero)"), nothing_is_there("store of 4 bytes", "0xfffffffc"));
    EXPECT_EQ(fault_of("amoadd.w a0, a1, (zero)"), nothing_is_there("atomic access of 4 bytes", "0x0"));
    EXPECT_EQ(fault_of("addi a1, s0, 2\n amoadd.w a0, a1, (a1)"), "amoadd.w at 0x1002: expected a multiple of 4");
    EXPECT_EQ(fault_of("addi a1, sp, 1\n lr.w a0, (a1)"), "lr.w at 0xffb00001: expected a multiple of 4");
}

TEST(HartFaults, JumpsThatCannotBe) {
    EXPECT_EQ(fault_of("jalr zero, 0(zero)"), "jump to 0x0: there is no code");
    EXPECT_EQ(fault_of("jalr zero, 0(s0)"), "jump to 0x1000: there is no code");
    EXPECT_EQ(fault_of("jal zero, 0x10010"), "jump to 0x10010: there is no code");
    EXPECT_EQ(fault_of("jal zero, 0xf000"), "jump to 0xf000: there is no code");
    EXPECT_EQ(fault_of("beq zero, zero, 0xfff0"), "jump to 0xfff0: there is no code");
    EXPECT_EQ(fault_of("addi a0, zero, 1"), "it runs over the end of its code");
    EXPECT_EQ(fault_of("bne zero, zero, 0xfff0"), "it runs over the end of its code");
    EXPECT_EQ(fault_of("li a5, 0xffffff00\n jalr ra, 0(a5)"), "return to 0x1000c: there is no code");
}

TEST(HartFaults, InstructionsThatCannotBe) {
    EXPECT_EQ(fault_of(".word 0xffffffff"), "illegal instruction 0xffffffff");
    EXPECT_EQ(fault_of(".half 0x0000"), "illegal instruction 0x0000");
    EXPECT_EQ(fault_of("ebreak"), "ebreak: the program stops itself");
    EXPECT_EQ(fault_of("csrrwi zero, frm, 5\n fadd.s fa0, fa0, fa0"),
              "fadd.s: expected a rounding mode of 0 to 4, found 5");
}

TEST(HartFaults, AreAtTheInstructionThatFails) {
    HartMachine machine("addi a0, zero, 1\n addi a0, zero, 2\n lw a0, 2(s0)", riscv_constants("wormhole_b0"));
    EXPECT_NE(machine.fault(), "");
    EXPECT_EQ(machine.hart().pc(), kCodeBegin + 8);
    HartMachine jump("addi a0, zero, 1\n jal zero, 0x20000", riscv_constants("wormhole_b0"));
    EXPECT_NE(jump.fault(), "");
    EXPECT_EQ(jump.hart().pc(), kCodeBegin + 4);
    riscv::Hart& hart = machine.hart();
    EXPECT_THROW(hart.run(kCodeBegin - 4), riscv::GuestFault);
    EXPECT_THROW(hart.run(kCodeBegin + 12), riscv::GuestFault);
}

TEST(HartFaults, ItsOwnCodeCannotBeChanged) {
    // Places code in memory that its stores can reach.
    const std::vector<std::byte> code = assembled("sw zero, 0(a0)\n jalr zero, 0(ra)", 0x1100);
    for (const std::uint32_t address : {0x10fcU, 0x1100U, 0x1104U, 0x1108U}) {
        const riscv::Code decoded(0x1100, code, kAllExtensions);
        const RiscvConstants constants = riscv_constants("wormhole_b0");
        TestBus bus(constants, {});
        riscv::Hart hart(decoded, constants, {HartMachine::kPrivateBegin, HartMachine::kPrivateBytes}, bus);
        hart.set_integer(kRa, TestBus::kEnd);
        hart.set_integer(kA0, address);
        std::string fault;
        try {
            hart.run(0x1100);
        } catch (const riscv::GuestFault& found) {
            fault = found.what();
        }
        const bool is_code = address == 0x1100 || address == 0x1104;
        EXPECT_EQ(
            fault,
            is_code ? fmt::format("store of 4 bytes at 0x{:x}: it would change the program's own code", address) : "");
    }
}

}  // namespace

}  // namespace nocbench::test
