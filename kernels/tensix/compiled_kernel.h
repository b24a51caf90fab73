// Kernels that were compiled for the RISCs of a tile, and run on a modeled one (a hart), instruction by instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

/// The file with the symbols of the firmware that a kernel was linked against.
struct KernelFirmware {
    std::string name;            // messages begin with it
    std::vector<std::byte> elf;  // empty: the kernel's own table of symbols has those of the firmware
};

/// Bytes of an image, and where they are when a kernel starts.
struct KernelPart {
    std::uint32_t address = 0;
    std::span<const std::byte> bytes;
};

/// A range of L1.
struct L1Range {
    std::uint32_t begin = 0;
    std::uint64_t end = 0;  // no longer part of it

    bool operator==(const L1Range&) const = default;
};

/// What the code that stands before the `kernel_main` of a kernel for the card does; see explore_start().
struct KernelStart {
    std::optional<std::uint32_t> go_byte;  // address in L1 of what it waits for
    std::optional<int> noc;                // whose counters it reads
};

/// The image of a kernel, with its code taken apart. Any number of RISCs may run it.
///
/// The contract with its start code: all parts of it are where the file says when it starts at its entry. A part of
/// private memory whose load address is another one is there, in L1, and the start code moves it. The stack pointer is
/// at the end of private memory, the global pointer has the value of `__global_pointer$`, and returning from the entry
/// ends the kernel. Symbols of firmware that it has are filled in before; firmware_data.h has their list.
///
/// A kernel for the card was linked against a firmware that is not here. It has, or `KernelFirmware` has, the symbols
/// of that firmware; it finds 0x80 in the byte of L1 that it waits for. Where its code is in the instruction RAM of
/// Wormhole's riscv_1, its data are at 0x7000 in L1 and behind, as far as they are behind the begin of that RAM in the
/// file; a0 holds the distance. If its first instructions load the stack pointer from an address in L1, then that
/// points to what a reset leaves of registers: ra, s0 to s11 and a0. Source: tt-metal, wh-iram-start.S and ncrisc.cc.
class CompiledKernel {
public:
    /// Throws InputError, which begins with `name`, if `elf` is no program for the RISCs of `architecture`.
    CompiledKernel(std::span<const std::byte> elf, std::string name, const Architecture& architecture,
                   riscv::SourceMap source_map);
    /// The same of a kernel for the card. Throws InputError also if symbols of its firmware are missing, or `firmware`
    /// is not the one that it was linked against.
    CompiledKernel(std::span<const std::byte> elf, std::string name, const Architecture& architecture,
                   riscv::SourceMap source_map, const KernelFirmware& firmware);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const riscv::ElfImage& image() const { return image_; }
    [[nodiscard]] const riscv::Code& code() const { return code_; }
    /// Its own symbol, or that of its firmware.
    [[nodiscard]] std::optional<riscv::ElfSymbol> symbol(std::string_view name) const;
    /// "kernel.cpp:14 in kernel_main"; the function alone if there are no source lines.
    [[nodiscard]] std::string where(std::uint32_t address) const;

    [[nodiscard]] bool is_for_card() const { return is_for_card_; }
    /// Of a kernel for the card; of others there is nothing to know.
    [[nodiscard]] const KernelStart& start() const { return start_; }
    /// Whether its code is in the instruction RAM.
    [[nodiscard]] bool is_in_instruction_ram() const;

    [[nodiscard]] std::vector<KernelPart> l1_parts() const;
    [[nodiscard]] std::vector<KernelPart> private_parts() const;
    /// What it takes of L1, in the order of the file.
    [[nodiscard]] std::vector<L1Range> l1_ranges() const;

private:
    [[nodiscard]] const riscv::ElfSegment& code_segment() const;
    void require_room(const Architecture& architecture) const;

    std::string name_;
    riscv::ElfImage image_;
    riscv::SourceMap source_map_;
    riscv::Code code_;
    riscv::ElfSymbols firmware_;
    bool is_for_card_ = false;
    KernelStart start_;
};

/// L1 addresses of what a compiled kernel is given, of each RISC: the one kind of arguments behind the other.
std::uint32_t runtime_args_address(int riscv);
std::uint32_t common_runtime_args_address(int riscv);
/// Bytes at each of these addresses: more than arguments can take, so that an index that is too large is noticed.
inline constexpr std::uint32_t kRuntimeArgsBytes = 0x7C0;

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

/// Puts the parts of `kernel` that are in L1 into that of `core`. Throws InputError if it was compiled for a board with
/// another number of banks of DRAM.
void load_compiled_kernel(Device& device, LogicalCoordinate core, const CompiledKernel& kernel);

/// The body of a kernel: runs `run.kernel` on the RISC that calls it. Throws KernelError where the program does what it
/// must not, with its source line.
void run_compiled_kernel(const KernelContext& context, CompiledKernelRun& run);

}  // namespace nocbench
