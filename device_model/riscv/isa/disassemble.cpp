#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "device_model/riscv/isa/decode.h"

namespace nocbench::riscv {

namespace {

constexpr auto kIntegerNames = std::to_array<std::string_view>(
    {"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
     "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"});

constexpr auto kFloatNames =
    std::to_array<std::string_view>({"ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
                                     "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
                                     "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"});

struct ControlRegister {
    std::uint32_t number;
    std::string_view name;
};

/// Control registers of unprivileged programs.
constexpr auto kControlRegisters = std::to_array<ControlRegister>({{0x001, "fflags"},
                                                                   {0x002, "frm"},
                                                                   {0x003, "fcsr"},
                                                                   {0xc00, "cycle"},
                                                                   {0xc01, "time"},
                                                                   {0xc02, "instret"},
                                                                   {0xc80, "cycleh"},
                                                                   {0xc81, "timeh"},
                                                                   {0xc82, "instreth"}});

/// Returns x0's name for kDiscard.
std::string_view register_name(std::uint8_t number) {
    if (number == kDiscard) {
        return kIntegerNames[0];
    }
    return number < kDiscard ? kIntegerNames.at(number) : kFloatNames.at(number - kFirstFloat);
}

std::string control_register_name(std::int32_t immediate) {
    const auto number = static_cast<std::uint32_t>(immediate);
    const auto* const found = std::ranges::find(kControlRegisters, number, &ControlRegister::number);
    return found == kControlRegisters.end() ? fmt::format("0x{:x}", number) : std::string(found->name);
}

/// Returns ", rtz" and the like; empty if register frm decides.
std::string_view rounding_suffix(const Instruction& instruction) {
    static constexpr auto kSuffixes =
        std::to_array<std::string_view>({", rne", ", rtz", ", rdn", ", rup", ", rmm", "", "", ""});
    return kSuffixes.at(instruction.rounding);
}

std::uint32_t target(const Instruction& instruction, std::uint32_t address) {
    return address + static_cast<std::uint32_t>(instruction.immediate);
}

std::string operands(const Instruction& instruction, std::uint32_t address) {
    const std::string_view rd = register_name(instruction.destination);
    const std::string_view rs1 = register_name(instruction.source1);
    const std::string_view rs2 = register_name(instruction.source2);
    const std::int32_t immediate = instruction.immediate;
    switch (instruction.operation) {
        using enum Operation;
        case illegal:
            return fmt::format("0x{:0{}x}", static_cast<std::uint32_t>(immediate), 2 * instruction.bytes);
        case fence:
        case fence_i:
        case ecall:
        case ebreak:
            return {};
        case lui:
        case auipc:
            return fmt::format("{}, 0x{:x}", rd, static_cast<std::uint32_t>(immediate) >> 12);
        case jal:
            return fmt::format("{}, 0x{:x}", rd, target(instruction, address));
        case beq:
        case bne:
        case blt:
        case bge:
        case bltu:
        case bgeu:
            return fmt::format("{}, {}, 0x{:x}", rs1, rs2, target(instruction, address));
        case jalr:
        case lb:
        case lh:
        case lw:
        case lbu:
        case lhu:
        case flw:
            return fmt::format("{}, {}({})", rd, immediate, rs1);
        case sb:
        case sh:
        case sw:
        case fsw:
            return fmt::format("{}, {}({})", rs2, immediate, rs1);
        case addi:
        case slti:
        case sltiu:
        case xori:
        case ori:
        case andi:
        case slli:
        case srli:
        case srai:
        case rori:
            return fmt::format("{}, {}, {}", rd, rs1, immediate);
        case csrrw:
        case csrrs:
        case csrrc:
            return fmt::format("{}, {}, {}", rd, control_register_name(immediate), rs1);
        case csrrwi:
        case csrrsi:
        case csrrci:
            return fmt::format("{}, {}, {}", rd, control_register_name(immediate), instruction.operand);
        case lr_w:
            return fmt::format("{}, ({})", rd, rs1);
        case sc_w:
        case amoswap_w:
        case amoadd_w:
        case amoxor_w:
        case amoand_w:
        case amoor_w:
        case amomin_w:
        case amomax_w:
        case amominu_w:
        case amomaxu_w:
            return fmt::format("{}, {}, ({})", rd, rs2, rs1);
        case clz:
        case ctz:
        case cpop:
        case sext_b:
        case sext_h:
        case zext_h:
        case orc_b:
        case rev8:
        case fmv_x_w:
        case fmv_w_x:
        case fclass_s:
            return fmt::format("{}, {}", rd, rs1);
        case fsqrt_s:
        case fcvt_w_s:
        case fcvt_wu_s:
        case fcvt_s_w:
        case fcvt_s_wu:
            return fmt::format("{}, {}{}", rd, rs1, rounding_suffix(instruction));
        case fadd_s:
        case fsub_s:
        case fmul_s:
        case fdiv_s:
            return fmt::format("{}, {}, {}{}", rd, rs1, rs2, rounding_suffix(instruction));
        case fmadd_s:
        case fmsub_s:
        case fnmsub_s:
        case fnmadd_s:
            return fmt::format("{}, {}, {}, {}{}", rd, rs1, rs2, register_name(instruction.source3),
                               rounding_suffix(instruction));
        default:
            return fmt::format("{}, {}, {}", rd, rs1, rs2);
    }
}

}  // namespace

std::string disassemble(const Instruction& instruction, std::uint32_t address) {
    const std::string written = operands(instruction, address);
    return written.empty() ? std::string(to_string(instruction.operation))
                           : fmt::format("{} {}", to_string(instruction.operation), written);
}

}  // namespace nocbench::riscv
