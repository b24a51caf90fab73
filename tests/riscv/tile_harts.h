// Harts on a device's tiles, with programs in assembly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/riscv/assembler.h"
#include "tests/support/machine.h"

namespace nocbench::test {

/// Initial registers of a program, by number.
using InitialRegisters = std::vector<std::pair<std::uint8_t, std::uint32_t>>;

/// Results of a hart's run.
struct HartEnd {
    std::uint64_t num_instructions = 0;
    Cycle cycles = 0;
    Cycle sum_by_place = 0;
    std::vector<std::uint32_t> registers;
    bool operator==(const HartEnd&) const = default;
};

riscv::Extensions extensions_of(const RiscvConstants& constants);

/// Runs code on the calling kernel's RISC. sp points to private memory, ra to the end of the kernel. Throws GuestFault.
HartEnd run_hart(std::vector<std::byte> code, const InitialRegisters& registers, bool sleeps);

}  // namespace nocbench::test
