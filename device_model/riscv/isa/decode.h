// From instruction words to instructions, and from those to the assembly that error messages show.
#pragma once

#include <cstdint>
#include <string>

#include "device_model/riscv/isa/instruction.h"

namespace nocbench::riscv {

/// The instruction whose first 16 bits are the low half of `word`; of a compressed one, the high half may be anything.
/// Unknown, reserved, or of an extension that the core does not have: Operation::illegal with the word as immediate, of
/// a compressed one its 16 bits. Of atomic operations, the bits aq and rl are dropped, and of fences all operands: a
/// core that does everything in order has no use for them.
Instruction decode(std::uint32_t word, Extensions extensions);

/// An instruction at an address as assembly, without aliases: "lw a0, 8(sp)", "beq a0, a1, 0x1010", "illegal
/// instruction 0x00000000".
std::string disassemble(const Instruction& instruction, std::uint32_t address);

}  // namespace nocbench::riscv
