// 16-bit instructions.
#pragma once

#include <cstdint>

#include "device_model/riscv/isa/instruction.h"

namespace nocbench::riscv {

/// Returns the expansion of a compressed instruction, with `bytes` = 2. Hints expand to instructions without effect.
Instruction decode_compressed(std::uint16_t half, Extensions extensions);

}  // namespace nocbench::riscv
