// Harts on the tiles of a device, with programs in assembly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/riscv/assembler.h"
#include "tests/support/machine.h"

namespace nocbench::test {

/// Registers that a program begins with, by number.
using InitialRegisters = std::vector<std::pair<std::uint8_t, std::uint32_t>>;

/// What a hart left behind.
struct HartEnd {
    std::uint64_t num_instructions = 0;
    Cycle cycles = 0;
    Cycle sum_by_place = 0;
    std::vector<std::uint32_t> registers;
    bool operator==(const HartEnd&) const = default;
};

/// The extensions that the RISCs of a chip have.
riscv::Extensions extensions_of(const RiscvConstants& constants);

/// Runs code on the RISC whose kernel this is, from its begin. sp points to private memory, ra to where the kernel
/// ends. Throws GuestFault.
HartEnd run_hart(std::vector<std::byte> code, const InitialRegisters& registers, bool sleeps);

}  // namespace nocbench::test
