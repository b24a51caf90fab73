// Decoding of instruction words, and their assembly for error messages.
#pragma once

#include <cstdint>
#include <string>

#include "device_model/riscv/isa/instruction.h"

namespace nocbench::riscv {

/// Decodes the instruction that begins with the low half of `word`; for a compressed one, the high half is ignored.
/// Unknown or reserved instructions and those of missing extensions give Operation::illegal with the word, or the 16
/// bits of a compressed one, as immediate. Drops aq and rl of atomics and the operands of fences: an in-order core does
/// not need them.
Instruction decode(std::uint32_t word, Extensions extensions);

/// Returns the instruction at an address as assembly, without aliases: "lw a0, 8(sp)", "beq a0, a1, 0x1010", "illegal
/// instruction 0x00000000".
std::string disassemble(const Instruction& instruction, std::uint32_t address);

}  // namespace nocbench::riscv
