// Programs as compilers leave them: ELF files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocbench::riscv {

/// A part of a program that is loaded into memory.
struct ElfSegment {
    std::uint32_t address = 0;
    std::uint32_t load_address = 0;  // where its bytes are put first, if start-up code moves them; often the same
    std::vector<std::byte> bytes;
    std::uint32_t memory_bytes = 0;  // at least as many as `bytes`; the others are zeros
    bool executable = false;

    bool operator==(const ElfSegment&) const = default;
};

struct ElfSymbol {
    std::uint32_t address = 0;
    std::uint32_t size = 0;

    bool operator==(const ElfSymbol&) const = default;
};

/// By name. If several symbols have a name, the global one is kept, else a weak one, else a local one; the first of its
/// kind.
using ElfSymbols = std::map<std::string, ElfSymbol, std::less<>>;

/// The symbols of an ELF file for such a core. It need not be a program, and may have no code. Throws InputError as
/// ElfImage does.
ElfSymbols read_elf_symbols(std::span<const std::byte> file, std::string_view name);

/// Where a function is, or code that stands behind a label. Its end is no longer part of it.
struct ElfFunction {
    std::string name;
    std::uint32_t address = 0;
    std::uint64_t end = 0;

    bool operator==(const ElfFunction&) const = default;
};

/// An executable file for a RISC-V core of 32 bits, in little-endian order.
class ElfImage {
public:
    /// Throws InputError with one line, "NAME: expected ..., found ...", at anything that it cannot be.
    ElfImage(std::span<const std::byte> file, std::string_view name);

    /// Where it starts.
    [[nodiscard]] std::uint32_t entry() const { return entry_; }

    /// In the order of the file. They do not overlap.
    [[nodiscard]] const std::vector<ElfSegment>& segments() const { return segments_; }

    [[nodiscard]] std::optional<ElfSymbol> symbol(std::string_view name) const;
    [[nodiscard]] const ElfSymbols& symbols() const { return symbols_; }

    /// The instructions that it was compiled for, "rv32i2p0_m2p0", as its attributes have them; empty if it has none.
    [[nodiscard]] const std::string& isa() const { return isa_; }

    /// The function that an address belongs to, or nullptr.
    [[nodiscard]] const ElfFunction* function_at(std::uint32_t address) const;
    /// By address. They do not overlap.
    [[nodiscard]] const std::vector<ElfFunction>& functions() const { return functions_; }

private:
    std::uint32_t entry_ = 0;
    std::vector<ElfSegment> segments_;
    ElfSymbols symbols_;
    std::string isa_;
    std::vector<ElfFunction> functions_;
};

}  // namespace nocbench::riscv
