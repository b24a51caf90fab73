// Kernels compiled for the card: the firmware that they were linked with, and the code before their `kernel_main`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "kernels/tensix/compiled_kernel.h"

namespace nocbench {

namespace riscv {
class Hart;
}

/// Instruction RAM of riscv_1, on Wormhole only. Inaccessible to loads.
/// Source: Tenstorrent ISA documentation, WormholeB0/TensixTile/BabyRISCV/InstructionRAM.md.
inline constexpr std::uint32_t kInstructionRamBegin = 0xFFC00000;
inline constexpr std::uint32_t kInstructionRamBytes = 16 * 1024;
bool has_instruction_ram(const TorusArchitecture& architecture);
inline bool is_in_instruction_ram(std::uint32_t address) {
    return address - kInstructionRamBegin < kInstructionRamBytes;
}
/// L1 source of that RAM's contents, with the data behind them.
inline constexpr std::uint32_t kInstructionRamSource = 0x7000;

/// Signal to kernels to proceed.
inline constexpr std::byte kGo{0x80};  // RUN_MSG_GO of tt-metal's dev_msgs.h

/// Returns the RISC that tt-metal's linker script made an image for, if known: only images for riscv_1 mark the start
/// of their text. Throws InputError, beginning with `name`, if `elf` is not a program.
std::optional<int> riscv_of_image(std::span<const std::byte> elf, std::string_view name);

/// Throws InputError if `kernel` is for another architecture, a firmware symbol is missing, or its own symbols and
/// `firmware` disagree.
void require_firmware(const CompiledKernel& kernel, const TorusArchitecture& architecture,
                      const riscv::ElfSymbols& firmware, std::string_view firmware_name);

/// Writes to the L1 of a hart's tile.
using WriteL1 = std::function<void(std::uint32_t address, std::span<const std::byte> bytes)>;

/// Sets a hart's registers and private memory to their state at the start of a kernel.
void set_up_start(riscv::Hart& hart, const CompiledKernel& kernel, const WriteL1& write_l1);

/// Executes the start of a kernel without a chip, until it polls a byte of L1 for the signal to proceed, or has an
/// effect visible to others. The byte's address differs between releases of tt-metal, and is stated only in this code.
KernelStart explore_start(const CompiledKernel& kernel, const TorusArchitecture& architecture);

}  // namespace nocbench
