// One instruction, taken apart once so that it can be executed many times.
// Source of encodings and of what instructions do: The RISC-V Instruction Set Manual, volume I, 20240411.
#pragma once

#include <cstdint>
#include <string_view>

namespace nocbench::riscv {

/// Extensions beyond RV32I that a core may have, as bits of a set.
enum class Extension : std::uint16_t {
    multiply = 1 << 0,            // M
    atomic_operations = 1 << 1,   // Zaamo
    load_reserved = 1 << 2,       // Zalrsc; with Zaamo it is A
    single_float = 1 << 3,        // F
    compressed = 1 << 4,          // C, with F also its loads and stores
    csr = 1 << 5,                 // Zicsr
    address_generation = 1 << 6,  // Zba
    bit_manipulation = 1 << 7,    // Zbb
};

class Extensions {
public:
    constexpr Extensions() = default;
    constexpr Extensions(std::initializer_list<Extension> extensions) {
        for (const Extension extension : extensions) {
            bits_ |= static_cast<std::uint16_t>(extension);
        }
    }
    [[nodiscard]] constexpr bool has(Extension extension) const {
        return (bits_ & static_cast<std::uint16_t>(extension)) != 0;
    }
    bool operator==(const Extensions&) const = default;

private:
    std::uint16_t bits_ = 0;
};

/// Every operation that a core can execute, each as NOCBENCH_RISCV_OPERATION(name, "mnemonic").
/// Compressed instructions are decoded into those that they stand for.
#define NOCBENCH_RISCV_OPERATIONS(_)                                                                                  \
    _(illegal, "illegal instruction")                                                                                 \
    /* RV32I */                                                                                                       \
    _(lui, "lui")                                                                                                     \
    _(auipc, "auipc") _(jal, "jal") _(jalr, "jalr") _(beq, "beq") _(bne, "bne") _(blt, "blt") _(bge, "bge")           \
        _(bltu, "bltu") _(bgeu, "bgeu") _(lb, "lb") _(lh, "lh") _(lw, "lw") _(lbu, "lbu") _(lhu, "lhu") _(sb, "sb")   \
            _(sh, "sh") _(sw, "sw") _(addi, "addi") _(slti, "slti") _(sltiu, "sltiu") _(xori, "xori") _(ori, "ori")   \
                _(andi, "andi") _(slli, "slli") _(srli, "srli") _(srai, "srai") _(add, "add") _(sub, "sub")           \
                    _(sll, "sll") _(slt, "slt") _(sltu, "sltu") _(xor_, "xor") _(srl, "srl") _(sra, "sra")            \
                        _(or_, "or") _(and_, "and") _(fence, "fence") _(fence_i, "fence.i") _(ecall, "ecall")         \
                            _(ebreak, "ebreak") /* M */                                                               \
        _(mul, "mul") _(mulh, "mulh") _(mulhsu, "mulhsu") _(mulhu, "mulhu") _(div, "div") _(divu, "divu") _(rem,      \
                                                                                                            "rem")    \
            _(remu,                                                                                                   \
              "remu") /* Zicsr; the immediate is the number of the register, rs1 the register or the 5-bit operand */ \
        _(csrrw, "csrrw") _(csrrs, "csrrs") _(csrrc, "csrrc") _(csrrwi, "csrrwi") _(csrrsi, "csrrsi")                 \
            _(csrrci, "csrrci") /* Zalrsc, Zaamo */                                                                   \
        _(lr_w, "lr.w") _(sc_w, "sc.w") _(amoswap_w, "amoswap.w") _(amoadd_w, "amoadd.w") _(amoxor_w, "amoxor.w")     \
            _(amoand_w, "amoand.w") _(amoor_w, "amoor.w") _(amomin_w, "amomin.w") _(amomax_w, "amomax.w")             \
                _(amominu_w, "amominu.w") _(amomaxu_w, "amomaxu.w") /* Zba */                                         \
        _(sh1add, "sh1add") _(sh2add, "sh2add") _(sh3add, "sh3add") /* Zbb */                                         \
        _(andn, "andn") _(orn, "orn") _(xnor, "xnor") _(clz, "clz") _(ctz, "ctz") _(cpop, "cpop") _(max, "max")       \
            _(maxu, "maxu") _(min, "min") _(minu, "minu") _(sext_b, "sext.b") _(sext_h, "sext.h") _(zext_h, "zext.h") \
                _(rol, "rol") _(ror, "ror") _(rori, "rori") _(orc_b, "orc.b")                                         \
                    _(rev8, "rev8") /* F; `rounding` has the rounding mode */                                         \
        _(flw, "flw") _(fsw, "fsw") _(fmadd_s, "fmadd.s") _(fmsub_s, "fmsub.s") _(fnmsub_s, "fnmsub.s")               \
            _(fnmadd_s, "fnmadd.s") _(fadd_s, "fadd.s") _(fsub_s, "fsub.s") _(fmul_s, "fmul.s") _(fdiv_s, "fdiv.s")   \
                _(fsqrt_s, "fsqrt.s") _(fsgnj_s, "fsgnj.s") _(fsgnjn_s, "fsgnjn.s") _(fsgnjx_s, "fsgnjx.s")           \
                    _(fmin_s, "fmin.s") _(fmax_s, "fmax.s") _(fcvt_w_s, "fcvt.w.s") _(fcvt_wu_s, "fcvt.wu.s")         \
                        _(fmv_x_w, "fmv.x.w") _(feq_s, "feq.s") _(flt_s, "flt.s") _(fle_s, "fle.s")                   \
                            _(fclass_s, "fclass.s") _(fcvt_s_w, "fcvt.s.w") _(fcvt_s_wu, "fcvt.s.wu")                 \
                                _(fmv_w_x, "fmv.w.x")

#define NOCBENCH_RISCV_OPERATION(name, mnemonic) name,
enum class Operation : std::uint8_t { NOCBENCH_RISCV_OPERATIONS(NOCBENCH_RISCV_OPERATION) };
#undef NOCBENCH_RISCV_OPERATION

std::string_view to_string(Operation operation);

/// Register numbers of the integer file: 0 to 31, and where writes to x0 go instead.
inline constexpr std::uint8_t kDiscard = 32;
/// Number of the first floating-point register: f0 follows the integer file, so that both have one table of times.
inline constexpr std::uint8_t kFirstFloat = 33;
inline constexpr int kNumRegisters = 33 + 32;

/// An instruction. Registers that it does not read are x0, whose value is always there; what it does not write, or
/// writes to x0, is kDiscard. Floating-point registers are kFirstFloat + number.
struct Instruction {
    Operation operation = Operation::illegal;
    std::uint8_t destination = kDiscard;
    std::uint8_t source1 = 0;
    std::uint8_t source2 = 0;
    std::uint8_t source3 = 0;   // of fused multiplications
    std::uint8_t rounding = 0;  // of floating-point operations: the field rm
    std::uint8_t bytes = 4;     // 2: it was compressed
    /// The immediate as the operation uses it: sign-extended, shifted into place (lui, auipc: by 12), relative to the
    /// instruction for branches and jumps; the shift amount; the number of the control register; the raw word of an
    /// illegal instruction.
    std::int32_t immediate = 0;

    bool operator==(const Instruction&) const = default;
};

}  // namespace nocbench::riscv
