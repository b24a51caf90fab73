// ELF files of programs, as compilers write them.
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

/// A part of a program to load into memory.
struct ElfSegment {
    std::uint32_t address = 0;
    std::uint32_t load_address = 0;  // initial place if start-up code moves the bytes; often `address`
    std::vector<std::byte> bytes;
    std::uint32_t memory_bytes = 0;  // `bytes`.size() or more; the rest is zero
    bool executable = false;

    bool operator==(const ElfSegment&) const = default;
};

struct ElfSymbol {
    std::uint32_t address = 0;
    std::uint32_t size = 0;

    bool operator==(const ElfSymbol&) const = default;
};

/// Symbols by name. A global one wins over a weak one, and a weak one over a local one; among equals, the first wins.
using ElfSymbols = std::map<std::string, ElfSymbol, std::less<>>;

/// Reads the symbols of an ELF file for such a core, not necessarily a program, possibly without code. Throws
/// InputError like ElfImage.
ElfSymbols read_elf_symbols(std::span<const std::byte> file, std::string_view name);

/// Address range of a function, or of labeled code. `end` is exclusive.
struct ElfFunction {
    std::string name;
    std::uint32_t address = 0;
    std::uint64_t end = 0;

    bool operator==(const ElfFunction&) const = default;
};

/// A little-endian executable for a 32-bit RISC-V core.
class ElfImage {
public:
    /// Throws InputError for an invalid file, in one line: "NAME: expected ..., found ...".
    ElfImage(std::span<const std::byte> file, std::string_view name);

    /// Returns the address of the first instruction.
    [[nodiscard]] std::uint32_t entry() const { return entry_; }

    /// Returns disjoint segments in file order.
    [[nodiscard]] const std::vector<ElfSegment>& segments() const { return segments_; }

    [[nodiscard]] std::optional<ElfSymbol> symbol(std::string_view name) const;
    [[nodiscard]] const ElfSymbols& symbols() const { return symbols_; }

    /// Returns the target ISA from the attributes, "rv32i2p0_m2p0"; empty if there is none.
    [[nodiscard]] const std::string& isa() const { return isa_; }

    /// Returns the function that contains an address, or nullptr.
    [[nodiscard]] const ElfFunction* function_at(std::uint32_t address) const;
    /// Returns disjoint functions by address.
    [[nodiscard]] const std::vector<ElfFunction>& functions() const { return functions_; }

private:
    std::uint32_t entry_ = 0;
    std::vector<ElfSegment> segments_;
    ElfSymbols symbols_;
    std::string isa_;
    std::vector<ElfFunction> functions_;
};

}  // namespace nocbench::riscv
