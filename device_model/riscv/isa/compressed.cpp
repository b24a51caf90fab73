#include "device_model/riscv/isa/compressed.h"

#include "device_model/riscv/isa/bit_fields.h"

namespace nocbench::riscv {

namespace {

/// The manual's table of compressed instructions has rows by bits 0 and 1, columns by bits 13 to 15.
constexpr std::uint32_t row_of(std::uint32_t half) { return field(half, 0, 2); }
constexpr std::uint32_t column_of(std::uint32_t half) { return field(half, 13, 3); }

/// Returns a register number of five bits.
std::uint8_t any_register(std::uint32_t half, int low) { return static_cast<std::uint8_t>(field(half, low, 5)); }

/// Returns one of the registers x8 to x15 from three bits.
std::uint8_t frequent_register(std::uint32_t half, int low) {
    return static_cast<std::uint8_t>(8 + field(half, low, 3));
}

/// Returns the five lower bits and the sign of an immediate, or of a shift amount.
std::uint32_t six_bits(std::uint32_t half) { return moved(half, 12, 1, 5) | moved(half, 2, 5, 0); }

std::int32_t signed_six_bits(std::uint32_t half) { return sign_extended(six_bits(half), 6); }

std::int32_t offset_of_jump(std::uint32_t half) {
    return sign_extended(moved(half, 12, 1, 11) | moved(half, 11, 1, 4) | moved(half, 9, 2, 8) | moved(half, 8, 1, 10) |
                             moved(half, 7, 1, 6) | moved(half, 6, 1, 7) | moved(half, 3, 3, 1) | moved(half, 2, 1, 5),
                         12);
}

std::int32_t offset_of_branch(std::uint32_t half) {
    return sign_extended(moved(half, 12, 1, 8) | moved(half, 10, 2, 3) | moved(half, 5, 2, 6) | moved(half, 3, 2, 1) |
                             moved(half, 2, 1, 5),
                         9);
}

/// Returns the offset of loads and stores with any base register: a multiple of 4 up to 124.
std::int32_t offset_of_word(std::uint32_t half) {
    return static_cast<std::int32_t>(moved(half, 10, 3, 3) | moved(half, 6, 1, 2) | moved(half, 5, 1, 6));
}

/// Returns the offset of stack-pointer loads: a multiple of 4 up to 252.
std::int32_t offset_of_stack_load(std::uint32_t half) {
    return static_cast<std::int32_t>(moved(half, 12, 1, 5) | moved(half, 4, 3, 2) | moved(half, 2, 2, 6));
}
std::int32_t offset_of_stack_store(std::uint32_t half) {
    return static_cast<std::int32_t>(moved(half, 9, 4, 2) | moved(half, 7, 2, 6));
}

/// Returns the immediate of c.addi4spn.
std::int32_t offset_of_stack_variable(std::uint32_t half) {
    return static_cast<std::int32_t>(moved(half, 11, 2, 4) | moved(half, 7, 4, 6) | moved(half, 6, 1, 2) |
                                     moved(half, 5, 1, 3));
}

/// Returns the immediate of c.addi16sp.
std::int32_t change_of_stack(std::uint32_t half) {
    return sign_extended(moved(half, 12, 1, 9) | moved(half, 6, 1, 4) | moved(half, 5, 1, 6) | moved(half, 3, 2, 7) |
                             moved(half, 2, 1, 5),
                         10);
}

Instruction illegal(std::uint32_t half) { return illegal_instruction(half, 2); }

Instruction of_registers(Operation operation, std::uint8_t rd, std::uint8_t rs1, std::uint8_t rs2) {
    return {.operation = operation, .destination = destination_of(rd), .source1 = rs1, .source2 = rs2, .bytes = 2};
}

Instruction of_immediate(Operation operation, std::uint8_t rd, std::uint8_t rs1, std::int32_t immediate) {
    return {
        .operation = operation, .destination = destination_of(rd), .source1 = rs1, .bytes = 2, .immediate = immediate};
}

/// Makes a store or branch.
Instruction of_sources(Operation operation, std::uint8_t rs1, std::uint8_t rs2, std::int32_t immediate) {
    return {.operation = operation, .source1 = rs1, .source2 = rs2, .bytes = 2, .immediate = immediate};
}

/// Makes a load of a float register.
Instruction with_float_destination(std::uint8_t number, std::uint8_t rs1, std::int32_t immediate) {
    return {.operation = Operation::flw,
            .destination = static_cast<std::uint8_t>(kFirstFloat + number),
            .source1 = rs1,
            .bytes = 2,
            .immediate = immediate};
}
Instruction with_float_source(std::uint8_t number, std::uint8_t rs1, std::int32_t immediate) {
    return of_sources(Operation::fsw, rs1, static_cast<std::uint8_t>(kFirstFloat + number), immediate);
}

Instruction decode_stack_variable(std::uint32_t half) {
    const std::int32_t offset = offset_of_stack_variable(half);
    return offset == 0 ? illegal(half)
                       : of_immediate(Operation::addi, frequent_register(half, 2), kStackPointer, offset);
}

/// Decodes row 0: loads and stores with any base register.
Instruction decode_row_0(std::uint32_t half, bool has_float) {
    const std::uint8_t data = frequent_register(half, 2);
    const std::uint8_t base = frequent_register(half, 7);
    const std::int32_t offset = offset_of_word(half);
    switch (column_of(half)) {
        case 0:
            return decode_stack_variable(half);
        case 2:
            return of_immediate(Operation::lw, data, base, offset);
        case 3:
            return has_float ? with_float_destination(data, base, offset) : illegal(half);
        case 6:
            return of_sources(Operation::sw, base, data, offset);
        case 7:
            return has_float ? with_float_source(data, base, offset) : illegal(half);
        default:
            return illegal(half);
    }
}

/// Decodes c.lui, or c.addi16sp for the stack pointer.
Instruction decode_upper(std::uint32_t half) {
    if (six_bits(half) == 0) {
        return illegal(half);
    }
    const std::uint8_t rd = any_register(half, 7);
    return rd == kStackPointer
               ? of_immediate(Operation::addi, kStackPointer, kStackPointer, change_of_stack(half))
               : of_immediate(Operation::lui, rd, 0,
                              static_cast<std::int32_t>(static_cast<std::uint32_t>(signed_six_bits(half)) << 12));
}

/// Decodes a shift by a constant; amounts from 32 on need a 64-bit core.
Instruction decode_shift(Operation operation, std::uint8_t rd, std::uint32_t half) {
    const std::uint32_t amount = six_bits(half);
    return amount >= 32 ? illegal(half) : of_immediate(operation, rd, rd, static_cast<std::int32_t>(amount));
}

/// Decodes arithmetic on two registers of x8 to x15.
Instruction decode_frequent_registers(std::uint32_t half) {
    static constexpr Operation kOperations[] = {Operation::sub, Operation::xor_, Operation::or_, Operation::and_};
    const std::uint8_t rd = frequent_register(half, 7);
    const bool is_of_64_bits = field(half, 12, 1) != 0;
    return is_of_64_bits ? illegal(half)
                         : of_registers(kOperations[field(half, 5, 2)], rd, rd, frequent_register(half, 2));
}

/// Decodes arithmetic on one register of x8 to x15.
Instruction decode_frequent(std::uint32_t half) {
    const std::uint8_t rd = frequent_register(half, 7);
    switch (field(half, 10, 2)) {
        case 0:
            return decode_shift(Operation::srli, rd, half);
        case 1:
            return decode_shift(Operation::srai, rd, half);
        case 2:
            return of_immediate(Operation::andi, rd, rd, signed_six_bits(half));
        default:
            return decode_frequent_registers(half);
    }
}

/// Decodes row 1: constants, jumps and branches.
Instruction decode_row_1(std::uint32_t half) {
    const std::uint8_t rd = any_register(half, 7);
    const std::uint8_t tested = frequent_register(half, 7);
    switch (column_of(half)) {
        case 0:
            return of_immediate(Operation::addi, rd, rd, signed_six_bits(half));
        case 1:
            return of_immediate(Operation::jal, kReturnAddress, 0, offset_of_jump(half));
        case 2:
            return of_immediate(Operation::addi, rd, 0, signed_six_bits(half));
        case 3:
            return decode_upper(half);
        case 4:
            return decode_frequent(half);
        case 5:
            return of_immediate(Operation::jal, 0, 0, offset_of_jump(half));
        case 6:
            return of_sources(Operation::beq, tested, 0, offset_of_branch(half));
        default:
            return of_sources(Operation::bne, tested, 0, offset_of_branch(half));
    }
}

/// Decodes bit 12 clear: c.jr without a second register, else c.mv.
Instruction decode_jump_or_move(std::uint8_t first, std::uint8_t second, std::uint32_t half) {
    if (second != 0) {
        return of_registers(Operation::add, first, 0, second);
    }
    return first == 0 ? illegal(half) : of_immediate(Operation::jalr, 0, first, 0);
}

/// Decodes bit 12 set: c.ebreak, c.jalr without a second register, else c.add.
Instruction decode_call_or_add(std::uint8_t first, std::uint8_t second) {
    if (second != 0) {
        return of_registers(Operation::add, first, first, second);
    }
    return first == 0 ? Instruction{.operation = Operation::ebreak, .bytes = 2}
                      : of_immediate(Operation::jalr, kReturnAddress, first, 0);
}

Instruction decode_stack_load(std::uint8_t rd, std::uint32_t half) {
    return rd == 0 ? illegal(half) : of_immediate(Operation::lw, rd, kStackPointer, offset_of_stack_load(half));
}

/// Decodes row 2: loads and stores by the stack pointer, and operations on two registers.
Instruction decode_row_2(std::uint32_t half, bool has_float) {
    const std::uint8_t first = any_register(half, 7);
    const std::uint8_t second = any_register(half, 2);
    switch (column_of(half)) {
        case 0:
            return decode_shift(Operation::slli, first, half);
        case 2:
            return decode_stack_load(first, half);
        case 3:
            return has_float ? with_float_destination(first, kStackPointer, offset_of_stack_load(half)) : illegal(half);
        case 4:
            return field(half, 12, 1) == 0 ? decode_jump_or_move(first, second, half)
                                           : decode_call_or_add(first, second);
        case 6:
            return of_sources(Operation::sw, kStackPointer, second, offset_of_stack_store(half));
        case 7:
            return has_float ? with_float_source(second, kStackPointer, offset_of_stack_store(half)) : illegal(half);
        default:
            return illegal(half);
    }
}

}  // namespace

Instruction decode_compressed(std::uint16_t half, Extensions extensions) {
    const bool has_float = extensions.has(Extension::single_float);
    switch (row_of(half)) {
        case 0:
            return decode_row_0(half, has_float);
        case 1:
            return decode_row_1(half);
        case 2:
            return decode_row_2(half, has_float);
        default:
            return illegal(half);
    }
}

}  // namespace nocbench::riscv
