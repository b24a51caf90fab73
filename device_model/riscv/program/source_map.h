// Mapping from instructions to source lines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace nocbench::riscv {

/// A source line in a function, possibly inlined into its caller.
struct SourceFrame {
    std::string function;  // empty: unknown
    std::string file;      // empty: unknown
    int line = 0;          // 0: unknown

    bool operator==(const SourceFrame&) const = default;
};

/// Source lines by instruction address.
class SourceMap {
public:
    /// Adds the source of the instruction at an address: its line, then the call sites if inlined. The last entry for
    /// an address wins.
    void add(std::uint32_t address, std::vector<SourceFrame> innermost_first);

    /// Adds a function. It ends before the next one, and its entries apply to no other function.
    void add_function(std::uint32_t address, std::uint32_t bytes);

    /// Returns the entry of an address, or the nearest one below in the same function, or an empty list. Without added
    /// functions, all code is one function; otherwise addresses outside of functions have no entry.
    [[nodiscard]] const std::vector<SourceFrame>& frames(std::uint32_t address) const;

    /// Returns "kernel.cpp:14 in kernel_main", "dataflow_api.h:120 in noc_async_read, inlined at kernel.cpp:14 in
    /// kernel_main", with file names as added; "0x00001a2c" if unknown.
    [[nodiscard]] std::string describe(std::uint32_t address) const;

private:
    [[nodiscard]] bool is_in_one_function(std::uint32_t entry, std::uint32_t address) const;

    std::map<std::uint32_t, std::vector<SourceFrame>> frames_;
    std::map<std::uint32_t, std::uint32_t> bytes_of_functions_;
};

class ElfImage;

/// Returns the same, or the function alone if there are no source lines: "0x00001a2c in kernel_main".
std::string place_in_program(const SourceMap& source_map, const ElfImage& image, std::uint32_t address);

}  // namespace nocbench::riscv
