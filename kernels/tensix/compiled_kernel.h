// Kernels compiled for the RISCs of a tile, executed on a modeled one (a hart) instruction by instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/riscv/code.h"
#include "device_model/riscv/program/elf.h"
#include "device_model/riscv/program/source_map.h"
#include "device_model/tenstorrent/arch/constants.h"

namespace nocbench {

class Device;
class Risc;
struct KernelContext;

/// File with the symbols of the firmware that a kernel was linked with.
struct KernelFirmware {
    std::string name;            // prefix of messages
    std::vector<std::byte> elf;  // empty: the kernel's own symbol table includes the firmware's
};

/// Bytes of an image, and their address at the start of a kernel.
struct KernelPart {
    std::uint32_t address = 0;
    std::span<const std::byte> bytes;
};

/// A range of L1.
struct L1Range {
    std::uint32_t begin = 0;
    std::uint64_t end = 0;  // exclusive

    bool operator==(const L1Range&) const = default;
};

/// Results of running the code before the `kernel_main` of a kernel for the card; see explore_start().
struct KernelStart {
    std::optional<std::uint32_t> go_byte;  // L1 address of the signal that it waits for
    std::optional<int> noc;                // of the counters that it reads
};

/// Decoded image of a kernel, which any number of RISCs may run.
///
/// The contract with its start code: at its entry, all parts of it are at the addresses in the file. A part of private
/// memory with a different load address is there, in L1, and the start code moves it. The stack pointer is at the end
/// of private memory, the global pointer has the value of `__global_pointer$`, and returning from the entry ends the
/// kernel. Its firmware symbols are filled in before; firmware_data.h lists them.
///
/// A kernel for the card was linked with a firmware that does not run here. Either it or `KernelFirmware` has the
/// firmware's symbols; it finds 0x80 in the byte of L1 that it waits for. If its code is in the instruction RAM of
/// Wormhole's riscv_1, data that follow the start of that RAM in the file are at 0x7000 and above in L1; a0 holds the
/// distance. If its first instructions load the stack pointer from an L1 address, that points to the register state
/// after reset: ra, s0 to s11 and a0. Source: tt-metal, wh-iram-start.S and ncrisc.cc.
class CompiledKernel {
public:
    /// Throws InputError, beginning with `name`, if `elf` is not a program for the RISCs of `architecture`.
    CompiledKernel(std::span<const std::byte> elf, std::string name, const TorusArchitecture& architecture,
                   riscv::SourceMap source_map);
    /// Loads a kernel for the card. Throws InputError also if firmware symbols are missing, or if the kernel was linked
    /// with another firmware.
    CompiledKernel(std::span<const std::byte> elf, std::string name, const TorusArchitecture& architecture,
                   riscv::SourceMap source_map, const KernelFirmware& firmware);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const riscv::ElfImage& image() const { return image_; }
    [[nodiscard]] const riscv::Code& code() const { return code_; }
    /// Returns the kernel's own symbol, or that of its firmware.
    [[nodiscard]] std::optional<riscv::ElfSymbol> symbol(std::string_view name) const;
    /// Returns "kernel.cpp:14 in kernel_main"; the function alone if there are no source lines.
    [[nodiscard]] std::string where(std::uint32_t address) const;

    [[nodiscard]] bool is_for_card() const { return is_for_card_; }
    /// Returns the start of a kernel for the card; empty for others.
    [[nodiscard]] const KernelStart& start() const { return start_; }
    [[nodiscard]] bool is_in_instruction_ram() const;
    /// True if it was compiled to share both NoCs with the other RISC of its tile.
    [[nodiscard]] bool shares_nocs() const;

    [[nodiscard]] std::vector<KernelPart> l1_parts() const;
    [[nodiscard]] std::vector<KernelPart> private_parts() const;
    /// Returns its ranges in L1, in the order of the file.
    [[nodiscard]] std::vector<L1Range> l1_ranges() const;

private:
    [[nodiscard]] const riscv::ElfSegment& code_segment() const;
    void require_room(const TorusArchitecture& architecture) const;

    std::string name_;
    riscv::ElfImage image_;
    riscv::SourceMap source_map_;
    riscv::Code code_;
    riscv::ElfSymbols firmware_;
    bool is_for_card_ = false;
    KernelStart start_;
};

/// Return the L1 addresses of each RISC's arguments, one kind behind the other.
std::uint32_t runtime_args_address(int riscv);
std::uint32_t common_runtime_args_address(int riscv);
/// Returns the bytes at each of these addresses: more than arguments can take, so that too large indices are detected.
std::uint32_t runtime_args_bytes(int riscv);

/// Run of a compiled kernel: its results besides its zones.
struct CompiledKernelRun {
    std::shared_ptr<const CompiledKernel> kernel;
    bool sleeps = true;  // in polling loops; see Hart::set_sleeps()
    std::uint64_t num_instructions = 0;
    std::uint64_t num_commands = 0;      // given to NIUs
    std::uint64_t bytes_moved = 0;       // by these commands
    std::uint64_t num_operations = 0;    // arithmetic operations, given to the units that compute
    Tick math_ticks = 0;                 // of these units, without the overhead of calls
    std::vector<Cycle> cycles_by_place;  // by place in the code; see Hart
    std::string printed;
    std::vector<std::string> warnings;  // each begins with its source line
};

/// Writes the L1 parts of `kernel` to the L1 of `core`. Throws InputError if it was compiled for a different number of
/// DRAM banks.
void load_compiled_kernel(Device& device, LogicalCoordinate core, const CompiledKernel& kernel);

/// Runs `run.kernel` on the calling RISC, as the body of its kernel. Throws KernelError with the source line of a
/// fault.
void run_compiled_kernel(const KernelContext& context, CompiledKernelRun& run);

}  // namespace nocbench
