#include "device_model/riscv/isa/decode.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "device_model/riscv/isa/bit_fields.h"
#include "device_model/riscv/isa/compressed.h"

namespace nocbench::riscv {

namespace {

/// Operand layout of an instruction.
enum class Format : std::uint8_t {
    none,
    upper,            // lui, auipc
    jump,             // jal
    branch,           // two registers and an offset
    immediate,        // rd, rs1, 12 bits; loads, too
    shift,            // rd, rs1, 5 bits
    store,            // rs1, rs2, 12 bits
    two_registers,    // rd, rs1
    three_registers,  // rd, rs1, rs2
    control,          // rd, rs1, number of a control register
    control_bits,     // rd, 5 bits, number of a control register
    float_load,
    float_store,
    float_fused,       // fd, fs1, fs2, fs3, mode
    float_arithmetic,  // fd, fs1, fs2, mode
    float_root,        // fd, fs1, mode
    float_select,      // fd, fs1, fs2
    float_compare,     // rd, fs1, fs2
    float_to_integer,  // rd, fs1, mode
    float_inspect,     // rd, fs1
    integer_to_float,  // fd, rs1, mode
    bits_to_float,     // fd, rs1
};

/// Encoding of a 32-bit instruction: words that equal `match` in the bits of `mask`.
struct Encoding {
    Operation operation;
    Format format;
    std::uint32_t mask;
    std::uint32_t match;
    std::optional<Extension> extension;  // none: base instruction set
};

/// Bits 2 to 6 of a 32-bit instruction; bits 0 and 1 are ones.
enum Opcode : std::uint8_t {
    kLoad = 0x00,
    kLoadFloat = 0x01,
    kFence = 0x03,
    kImmediate = 0x04,
    kAuipc = 0x05,
    kStore = 0x08,
    kStoreFloat = 0x09,
    kAtomic = 0x0b,
    kRegisters = 0x0c,
    kLui = 0x0d,
    kFmadd = 0x10,
    kFmsub = 0x11,
    kFnmsub = 0x12,
    kFnmadd = 0x13,
    kFloat = 0x14,
    kBranch = 0x18,
    kJalr = 0x19,
    kJal = 0x1b,
    kSystem = 0x1c,
};

/// Fixed bits of an instruction.
struct Pattern {
    std::uint32_t mask;
    std::uint32_t match;
};

constexpr Pattern opcode(Opcode code) { return {0x7f, (std::uint32_t{code} << 2) | 3}; }

constexpr Pattern funct3(Opcode code, std::uint32_t value) {
    const Pattern outer = opcode(code);
    return {outer.mask | 0x7000, outer.match | (value << 12)};
}

/// Fixes bits 25 to 31 and funct3.
constexpr Pattern funct7(Opcode code, std::uint32_t high, std::uint32_t value) {
    const Pattern outer = funct3(code, value);
    return {outer.mask | 0xfe000000, outer.match | (high << 25)};
}

/// Fixes bits 20 to 31 and funct3.
constexpr Pattern funct12(Opcode code, std::uint32_t high, std::uint32_t value) {
    const Pattern outer = funct3(code, value);
    return {outer.mask | 0xfff00000, outer.match | (high << 20)};
}

/// Fixes all bits.
constexpr Pattern whole(std::uint32_t word) { return {0xffffffff, word}; }

/// Fixes bits 27 to 31 of an atomic operation on words; aq and rl are free.
constexpr Pattern atomic(std::uint32_t funct5) {
    const Pattern outer = funct3(kAtomic, 2);
    return {outer.mask | 0xf8000000, outer.match | (funct5 << 27)};
}

constexpr Pattern atomic_load() {
    const Pattern outer = atomic(0x02);
    return {outer.mask | 0x01f00000, outer.match};
}

/// Fixes bits 25 to 31 in single precision; a rounding mode replaces funct3.
constexpr Pattern rounded(std::uint32_t high) {
    const Pattern outer = opcode(kFloat);
    return {outer.mask | 0xfe000000, outer.match | (high << 25)};
}

/// Also fixes a number in place of rs2.
constexpr Pattern rounded(std::uint32_t high, std::uint32_t rs2) {
    const Pattern outer = rounded(high);
    return {outer.mask | 0x01f00000, outer.match | (rs2 << 20)};
}

/// Fixes a fused multiplication in single precision.
constexpr Pattern fused(Opcode code) {
    const Pattern outer = opcode(code);
    return {outer.mask | 0x06000000, outer.match};
}

constexpr Encoding of(Operation operation, Format format, Pattern pattern,
                      std::optional<Extension> extension = std::nullopt) {
    return {
        .operation = operation, .format = format, .mask = pattern.mask, .match = pattern.match, .extension = extension};
}

using enum Operation;
using enum Extension;

/// Sorted by opcode, for lookup by opcode.
constexpr auto kEncodings = std::to_array<Encoding>({
    of(lb, Format::immediate, funct3(kLoad, 0)),
    of(lh, Format::immediate, funct3(kLoad, 1)),
    of(lw, Format::immediate, funct3(kLoad, 2)),
    of(lbu, Format::immediate, funct3(kLoad, 4)),
    of(lhu, Format::immediate, funct3(kLoad, 5)),

    of(flw, Format::float_load, funct3(kLoadFloat, 2), single_float),

    of(fence, Format::none, funct3(kFence, 0)),
    of(fence_i, Format::none, funct3(kFence, 1)),

    of(addi, Format::immediate, funct3(kImmediate, 0)),
    of(slti, Format::immediate, funct3(kImmediate, 2)),
    of(sltiu, Format::immediate, funct3(kImmediate, 3)),
    of(xori, Format::immediate, funct3(kImmediate, 4)),
    of(ori, Format::immediate, funct3(kImmediate, 6)),
    of(andi, Format::immediate, funct3(kImmediate, 7)),
    of(slli, Format::shift, funct7(kImmediate, 0x00, 1)),
    of(srli, Format::shift, funct7(kImmediate, 0x00, 5)),
    of(srai, Format::shift, funct7(kImmediate, 0x20, 5)),
    of(rori, Format::shift, funct7(kImmediate, 0x30, 5), bit_manipulation),
    of(clz, Format::two_registers, funct12(kImmediate, 0x600, 1), bit_manipulation),
    of(ctz, Format::two_registers, funct12(kImmediate, 0x601, 1), bit_manipulation),
    of(cpop, Format::two_registers, funct12(kImmediate, 0x602, 1), bit_manipulation),
    of(sext_b, Format::two_registers, funct12(kImmediate, 0x604, 1), bit_manipulation),
    of(sext_h, Format::two_registers, funct12(kImmediate, 0x605, 1), bit_manipulation),
    of(orc_b, Format::two_registers, funct12(kImmediate, 0x287, 5), bit_manipulation),
    of(rev8, Format::two_registers, funct12(kImmediate, 0x698, 5), bit_manipulation),

    of(auipc, Format::upper, opcode(kAuipc)),

    of(sb, Format::store, funct3(kStore, 0)),
    of(sh, Format::store, funct3(kStore, 1)),
    of(sw, Format::store, funct3(kStore, 2)),

    of(fsw, Format::float_store, funct3(kStoreFloat, 2), single_float),

    of(lr_w, Format::two_registers, atomic_load(), load_reserved),
    of(sc_w, Format::three_registers, atomic(0x03), load_reserved),
    of(amoadd_w, Format::three_registers, atomic(0x00), atomic_operations),
    of(amoswap_w, Format::three_registers, atomic(0x01), atomic_operations),
    of(amoxor_w, Format::three_registers, atomic(0x04), atomic_operations),
    of(amoor_w, Format::three_registers, atomic(0x08), atomic_operations),
    of(amoand_w, Format::three_registers, atomic(0x0c), atomic_operations),
    of(amomin_w, Format::three_registers, atomic(0x10), atomic_operations),
    of(amomax_w, Format::three_registers, atomic(0x14), atomic_operations),
    of(amominu_w, Format::three_registers, atomic(0x18), atomic_operations),
    of(amomaxu_w, Format::three_registers, atomic(0x1c), atomic_operations),

    of(add, Format::three_registers, funct7(kRegisters, 0x00, 0)),
    of(sll, Format::three_registers, funct7(kRegisters, 0x00, 1)),
    of(slt, Format::three_registers, funct7(kRegisters, 0x00, 2)),
    of(sltu, Format::three_registers, funct7(kRegisters, 0x00, 3)),
    of(xor_, Format::three_registers, funct7(kRegisters, 0x00, 4)),
    of(srl, Format::three_registers, funct7(kRegisters, 0x00, 5)),
    of(or_, Format::three_registers, funct7(kRegisters, 0x00, 6)),
    of(and_, Format::three_registers, funct7(kRegisters, 0x00, 7)),
    of(sub, Format::three_registers, funct7(kRegisters, 0x20, 0)),
    of(sra, Format::three_registers, funct7(kRegisters, 0x20, 5)),
    of(mul, Format::three_registers, funct7(kRegisters, 0x01, 0), multiply),
    of(mulh, Format::three_registers, funct7(kRegisters, 0x01, 1), multiply),
    of(mulhsu, Format::three_registers, funct7(kRegisters, 0x01, 2), multiply),
    of(mulhu, Format::three_registers, funct7(kRegisters, 0x01, 3), multiply),
    of(div, Format::three_registers, funct7(kRegisters, 0x01, 4), multiply),
    of(divu, Format::three_registers, funct7(kRegisters, 0x01, 5), multiply),
    of(rem, Format::three_registers, funct7(kRegisters, 0x01, 6), multiply),
    of(remu, Format::three_registers, funct7(kRegisters, 0x01, 7), multiply),
    of(sh1add, Format::three_registers, funct7(kRegisters, 0x10, 2), address_generation),
    of(sh2add, Format::three_registers, funct7(kRegisters, 0x10, 4), address_generation),
    of(sh3add, Format::three_registers, funct7(kRegisters, 0x10, 6), address_generation),
    of(xnor, Format::three_registers, funct7(kRegisters, 0x20, 4), bit_manipulation),
    of(orn, Format::three_registers, funct7(kRegisters, 0x20, 6), bit_manipulation),
    of(andn, Format::three_registers, funct7(kRegisters, 0x20, 7), bit_manipulation),
    of(zext_h, Format::two_registers, funct12(kRegisters, 0x080, 4), bit_manipulation),
    of(min, Format::three_registers, funct7(kRegisters, 0x05, 4), bit_manipulation),
    of(minu, Format::three_registers, funct7(kRegisters, 0x05, 5), bit_manipulation),
    of(max, Format::three_registers, funct7(kRegisters, 0x05, 6), bit_manipulation),
    of(maxu, Format::three_registers, funct7(kRegisters, 0x05, 7), bit_manipulation),
    of(rol, Format::three_registers, funct7(kRegisters, 0x30, 1), bit_manipulation),
    of(ror, Format::three_registers, funct7(kRegisters, 0x30, 5), bit_manipulation),

    of(lui, Format::upper, opcode(kLui)),

    of(fmadd_s, Format::float_fused, fused(kFmadd), single_float),
    of(fmsub_s, Format::float_fused, fused(kFmsub), single_float),
    of(fnmsub_s, Format::float_fused, fused(kFnmsub), single_float),
    of(fnmadd_s, Format::float_fused, fused(kFnmadd), single_float),

    of(fadd_s, Format::float_arithmetic, rounded(0x00), single_float),
    of(fsub_s, Format::float_arithmetic, rounded(0x04), single_float),
    of(fmul_s, Format::float_arithmetic, rounded(0x08), single_float),
    of(fdiv_s, Format::float_arithmetic, rounded(0x0c), single_float),
    of(fsgnj_s, Format::float_select, funct7(kFloat, 0x10, 0), single_float),
    of(fsgnjn_s, Format::float_select, funct7(kFloat, 0x10, 1), single_float),
    of(fsgnjx_s, Format::float_select, funct7(kFloat, 0x10, 2), single_float),
    of(fmin_s, Format::float_select, funct7(kFloat, 0x14, 0), single_float),
    of(fmax_s, Format::float_select, funct7(kFloat, 0x14, 1), single_float),
    of(fsqrt_s, Format::float_root, rounded(0x2c, 0), single_float),
    of(fle_s, Format::float_compare, funct7(kFloat, 0x50, 0), single_float),
    of(flt_s, Format::float_compare, funct7(kFloat, 0x50, 1), single_float),
    of(feq_s, Format::float_compare, funct7(kFloat, 0x50, 2), single_float),
    of(fcvt_w_s, Format::float_to_integer, rounded(0x60, 0), single_float),
    of(fcvt_wu_s, Format::float_to_integer, rounded(0x60, 1), single_float),
    of(fcvt_s_w, Format::integer_to_float, rounded(0x68, 0), single_float),
    of(fcvt_s_wu, Format::integer_to_float, rounded(0x68, 1), single_float),
    of(fmv_x_w, Format::float_inspect, funct12(kFloat, 0xe00, 0), single_float),
    of(fclass_s, Format::float_inspect, funct12(kFloat, 0xe00, 1), single_float),
    of(fmv_w_x, Format::bits_to_float, funct12(kFloat, 0xf00, 0), single_float),

    of(beq, Format::branch, funct3(kBranch, 0)),
    of(bne, Format::branch, funct3(kBranch, 1)),
    of(blt, Format::branch, funct3(kBranch, 4)),
    of(bge, Format::branch, funct3(kBranch, 5)),
    of(bltu, Format::branch, funct3(kBranch, 6)),
    of(bgeu, Format::branch, funct3(kBranch, 7)),

    of(jalr, Format::immediate, funct3(kJalr, 0)),

    of(jal, Format::jump, opcode(kJal)),

    of(ecall, Format::none, whole(0x00000073)),
    of(ebreak, Format::none, whole(0x00100073)),
    of(csrrw, Format::control, funct3(kSystem, 1), csr),
    of(csrrs, Format::control, funct3(kSystem, 2), csr),
    of(csrrc, Format::control, funct3(kSystem, 3), csr),
    of(csrrwi, Format::control_bits, funct3(kSystem, 5), csr),
    of(csrrsi, Format::control_bits, funct3(kSystem, 6), csr),
    of(csrrci, Format::control_bits, funct3(kSystem, 7), csr),
});

constexpr std::uint32_t opcode_of(const Encoding& encoding) { return field(encoding.match, 2, 5); }

static_assert(std::ranges::is_sorted(kEncodings, {}, opcode_of));

/// Index of the first encoding of each opcode; the end comes last.
constexpr auto kFirstOfOpcode = [] {
    std::array<std::size_t, 33> first{};
    for (std::uint32_t code = 0; code <= 32; ++code) {
        first.at(code) =
            static_cast<std::size_t>(std::ranges::lower_bound(kEncodings, code, {}, opcode_of) - kEncodings.begin());
    }
    return first;
}();

std::span<const Encoding> encodings_of(std::uint32_t word) {
    const std::uint32_t code = field(word, 2, 5);
    const std::size_t first = kFirstOfOpcode.at(code);
    return std::span(kEncodings).subspan(first, kFirstOfOpcode.at(code + 1) - first);
}

const Encoding* find_encoding(std::uint32_t word, Extensions extensions) {
    const std::span<const Encoding> candidates = encodings_of(word);
    const auto found = std::ranges::find_if(candidates, [&](const Encoding& encoding) {
        return (word & encoding.mask) == encoding.match &&
               (!encoding.extension.has_value() || extensions.has(*encoding.extension));
    });
    return found == candidates.end() ? nullptr : &*found;
}

std::uint8_t integer_register(std::uint32_t word, int low) { return static_cast<std::uint8_t>(field(word, low, 5)); }

std::uint8_t float_register(std::uint32_t word, int low) {
    return static_cast<std::uint8_t>(kFirstFloat + field(word, low, 5));
}

std::uint8_t integer_destination(std::uint32_t word) { return destination_of(field(word, 7, 5)); }

std::int32_t immediate_of_store(std::uint32_t word) {
    return sign_extended(moved(word, 25, 7, 5) | moved(word, 7, 5, 0), 12);
}

std::int32_t immediate_of_branch(std::uint32_t word) {
    return sign_extended(moved(word, 31, 1, 12) | moved(word, 7, 1, 11) | moved(word, 25, 6, 5) | moved(word, 8, 4, 1),
                         13);
}

std::int32_t immediate_of_jump(std::uint32_t word) {
    return sign_extended(
        moved(word, 31, 1, 20) | moved(word, 12, 8, 12) | moved(word, 20, 1, 11) | moved(word, 21, 10, 1), 21);
}

std::int32_t immediate_of(Format format, std::uint32_t word) {
    switch (format) {
        case Format::upper:
            return static_cast<std::int32_t>(word & 0xfffff000);
        case Format::jump:
            return immediate_of_jump(word);
        case Format::branch:
            return immediate_of_branch(word);
        case Format::immediate:
        case Format::float_load:
            return sign_extended(field(word, 20, 12), 12);
        case Format::store:
        case Format::float_store:
            return immediate_of_store(word);
        case Format::shift:
            return static_cast<std::int32_t>(field(word, 20, 5));
        case Format::control:
        case Format::control_bits:
            return static_cast<std::int32_t>(field(word, 20, 12));
        default:
            return 0;
    }
}

std::uint8_t destination_of(Format format, std::uint32_t word) {
    switch (format) {
        case Format::none:
        case Format::branch:
        case Format::store:
        case Format::float_store:
            return kDiscard;
        case Format::float_load:
        case Format::float_fused:
        case Format::float_arithmetic:
        case Format::float_root:
        case Format::float_select:
        case Format::integer_to_float:
        case Format::bits_to_float:
            return float_register(word, 7);
        default:
            return integer_destination(word);
    }
}

std::uint8_t source1_of(Format format, std::uint32_t word) {
    switch (format) {
        case Format::none:
        case Format::upper:
        case Format::jump:
        case Format::control_bits:
            return 0;
        case Format::float_fused:
        case Format::float_arithmetic:
        case Format::float_root:
        case Format::float_select:
        case Format::float_compare:
        case Format::float_to_integer:
        case Format::float_inspect:
            return float_register(word, 15);
        default:
            return integer_register(word, 15);
    }
}

std::uint8_t source2_of(Format format, std::uint32_t word) {
    switch (format) {
        case Format::branch:
        case Format::store:
        case Format::three_registers:
            return integer_register(word, 20);
        case Format::float_store:
        case Format::float_fused:
        case Format::float_arithmetic:
        case Format::float_select:
        case Format::float_compare:
            return float_register(word, 20);
        default:
            return 0;
    }
}

bool has_rounding_mode(Format format) {
    switch (format) {
        case Format::float_fused:
        case Format::float_arithmetic:
        case Format::float_root:
        case Format::float_to_integer:
        case Format::integer_to_float:
            return true;
        default:
            return false;
    }
}

/// 5 and 6 are reserved; 7 selects the mode in register frm.
bool is_reserved_rounding_mode(std::uint32_t mode) { return mode == 5 || mode == 6; }

Instruction decode_whole(std::uint32_t word, Extensions extensions) {
    const Encoding* const encoding = find_encoding(word, extensions);
    if (encoding == nullptr) {
        return illegal_instruction(word, 4);
    }
    const Format format = encoding->format;
    const std::uint32_t rounding = has_rounding_mode(format) ? field(word, 12, 3) : 0;
    if (is_reserved_rounding_mode(rounding)) {
        return illegal_instruction(word, 4);
    }
    return {.operation = encoding->operation,
            .destination = destination_of(format, word),
            .source1 = source1_of(format, word),
            .source2 = source2_of(format, word),
            .source3 = format == Format::float_fused ? float_register(word, 27) : std::uint8_t{0},
            .rounding = static_cast<std::uint8_t>(rounding),
            .bytes = 4,
            .operand = static_cast<std::uint8_t>(format == Format::control_bits ? field(word, 15, 5) : 0),
            .immediate = immediate_of(format, word)};
}

}  // namespace

Instruction decode(std::uint32_t word, Extensions extensions) {
    const bool is_whole = field(word, 0, 2) == 3;
    return is_whole || !extensions.has(compressed) ? decode_whole(word, extensions)
                                                   : decode_compressed(static_cast<std::uint16_t>(word), extensions);
}

}  // namespace nocbench::riscv
