// What is special about kernels that were compiled for the card: the firmware that they were linked against, and the
// code that stands before their `kernel_main`.
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

/// RAM for the instructions of riscv_1, which Wormhole has. Loads do not reach it.
/// Source: Tenstorrent ISA documentation, WormholeB0/TensixTile/BabyRISCV/InstructionRAM.md.
inline constexpr std::uint32_t kInstructionRamBegin = 0xFFC00000;
inline constexpr std::uint32_t kInstructionRamBytes = 16 * 1024;
bool has_instruction_ram(const Architecture& architecture);
inline bool is_in_instruction_ram(std::uint32_t address) {
    return address - kInstructionRamBegin < kInstructionRamBytes;
}
/// Where in L1 the contents of that RAM come from, with the data behind them.
inline constexpr std::uint32_t kInstructionRamSource = 0x7000;

/// What tells kernels to go on.
inline constexpr std::byte kGo{0x80};  // RUN_MSG_GO of tt-metal's dev_msgs.h

/// Which RISC the linker script of tt-metal made an image for, if it says so: only for riscv_1 it marks where the text
/// of a kernel begins. Throws InputError, which begins with `name`, if `elf` is no program.
std::optional<int> riscv_of_image(std::span<const std::byte> elf, std::string_view name);

/// Throws InputError if `kernel` is for another architecture, a symbol of its firmware is missing, or its own symbols
/// and `firmware` do not agree.
void require_firmware(const CompiledKernel& kernel, const Architecture& architecture, const riscv::ElfSymbols& firmware,
                      std::string_view firmware_name);

/// Writes to L1 of the tile of a hart.
using WriteL1 = std::function<void(std::uint32_t address, std::span<const std::byte> bytes)>;

/// Sets registers and private memory of a hart to what a kernel finds when it starts.
void set_up_start(riscv::Hart& hart, const CompiledKernel& kernel, const WriteL1& write_l1);

/// Executes the start of a kernel apart from any chip, until it polls a byte of L1, which is how it waits to be told to
/// go on, or does something that others could see. Where that byte is differs from release to release of tt-metal, and
/// is written down nowhere but in this code.
KernelStart explore_start(const CompiledKernel& kernel, const Architecture& architecture);

}  // namespace nocbench
