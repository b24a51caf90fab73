// Kernels that were compiled for the RISCs of a tile, and run on a modeled one (a hart), instruction by instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/riscv/code.h"
#include "device_model/riscv/elf.h"
#include "device_model/riscv/source_map.h"

namespace nocbench {

class Device;
class Risc;
struct KernelContext;

/// The image of a kernel, with its code taken apart. Any number of RISCs may run it.
///
/// The contract with its start code: parts of it in L1 and in private memory are where they belong when it starts at
/// its entry; the stack pointer is at the end of private memory, the global pointer has the value of
/// `__global_pointer$`, and returning from the entry ends the kernel. Symbols of firmware that it has are filled in
/// before: `rta_l1_base`, `crta_l1_base`, `sem_l1_base`, `my_x`, `my_y`, `my_logical_x_`, `my_logical_y_`,
/// `cb_interface`, `dram_bank_to_noc_xy`, `bank_to_dram_offset`, `l1_bank_to_noc_xy`, `bank_to_l1_offset`.
class CompiledKernel {
public:
    /// Throws InputError, which begins with `name`, if `elf` is no program for the RISCs of `architecture`.
    CompiledKernel(std::span<const std::byte> elf, std::string name, const Architecture& architecture,
                   riscv::SourceMap source_map);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const riscv::ElfImage& image() const { return image_; }
    [[nodiscard]] const riscv::Code& code() const { return code_; }
    /// "kernel.cpp:14 in kernel_main"; the function alone if there are no source lines.
    [[nodiscard]] std::string where(std::uint32_t address) const;

private:
    [[nodiscard]] const riscv::ElfSegment& code_segment() const;

    std::string name_;
    riscv::ElfImage image_;
    riscv::SourceMap source_map_;
    riscv::Code code_;
};

/// L1 addresses of what a compiled kernel is given, of each RISC.
std::uint32_t runtime_args_address(int riscv);
std::uint32_t common_runtime_args_address(int riscv);
/// Words that fit there.
inline constexpr std::size_t kRuntimeArgsMax = 256;

/// What a compiled kernel did, beside its zones.
struct CompiledKernelRun {
    std::shared_ptr<const CompiledKernel> kernel;
    bool sleeps = true;  // in polling loops; see Hart::set_sleeps()
    std::uint64_t num_instructions = 0;
    std::uint64_t num_commands = 0;      // that it gave to NIUs
    std::uint64_t bytes_moved = 0;       // by them
    std::vector<Cycle> cycles_by_place;  // by place in the code; see Hart
    std::string printed;
};

/// Puts the parts of `kernel` that are in L1 into that of `core`. Throws InputError if they do not fit into the
/// reserved part of L1.
void load_compiled_kernel(Device& device, LogicalCoordinate core, const CompiledKernel& kernel);

/// The body of a kernel: runs `run.kernel` on the RISC that calls it. Throws KernelError where the program does what it
/// must not, with its source line.
void run_compiled_kernel(const KernelContext& context, CompiledKernelRun& run);

}  // namespace nocbench
