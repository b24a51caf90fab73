// Small assembler for tests of harts. It checks its output by disassembling it: the result must equal the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "device_model/riscv/isa/instruction.h"

namespace nocbench::test {

/// All extensions known to decode().
inline constexpr riscv::Extensions kAllExtensions{
    riscv::Extension::multiply,           riscv::Extension::atomic_operations, riscv::Extension::load_reserved,
    riscv::Extension::single_float,       riscv::Extension::compressed,        riscv::Extension::csr,
    riscv::Extension::address_generation, riscv::Extension::bit_manipulation};

inline constexpr std::uint32_t kCodeBegin = 0x10000;

/// Assembles lines, which may also be separated by semicolons: "label:", "# a comment", "addi a0, a1, -1", "bne a0, a1,
/// label", ".half 0x4501" or ".word 0x00000000"; "li a0, 0x12345678" stands for lui and addi. Throws
/// std::invalid_argument with the line if it is invalid.
std::vector<std::byte> assembled(std::string_view text, std::uint32_t base = kCodeBegin);

}  // namespace nocbench::test
