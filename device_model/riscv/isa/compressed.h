// Instructions of 16 bits.
#pragma once

#include <cstdint>

#include "device_model/riscv/isa/instruction.h"

namespace nocbench::riscv {

/// The instruction that a compressed one stands for; `bytes` is 2. Hints are what they stand for, too: instructions
/// that do nothing.
Instruction decode_compressed(std::uint16_t half, Extensions extensions);

}  // namespace nocbench::riscv
