// Which source lines instructions come of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace nocbench::riscv {

/// A line of a function, of which one that was called may have been compiled into its caller.
struct SourceFrame {
    std::string function;  // empty: unknown
    std::string file;      // empty: unknown
    int line = 0;          // 0: unknown

    bool operator==(const SourceFrame&) const = default;
};

/// Source lines by the address of an instruction.
class SourceMap {
public:
    /// What the instruction at an address comes of: the line itself, then the line that the function was called at
    /// which it is in, and so on if those calls were inlined. The last that is said about an address counts.
    void add(std::uint32_t address, std::vector<SourceFrame> innermost_first);

    /// Says that there is a function. It ends before the next one, and its entries say nothing about others.
    void add_function(std::uint32_t address, std::uint32_t bytes);

    /// The entry of an address, or that of the nearest one below in the same function; none: an empty list. Where no
    /// functions were added, all is one function, and otherwise nothing is known of addresses outside of them.
    [[nodiscard]] const std::vector<SourceFrame>& frames(std::uint32_t address) const;

    /// "kernel.cpp:14 in kernel_main", "dataflow_api.h:120 in noc_async_read, inlined at kernel.cpp:14 in kernel_main",
    /// with files as they were added; "0x00001a2c" where nothing is known.
    [[nodiscard]] std::string describe(std::uint32_t address) const;

private:
    [[nodiscard]] bool is_in_one_function(std::uint32_t entry, std::uint32_t address) const;

    std::map<std::uint32_t, std::vector<SourceFrame>> frames_;
    std::map<std::uint32_t, std::uint32_t> bytes_of_functions_;
};

class ElfImage;

/// The same, or the function alone where there are no source lines: "0x00001a2c in kernel_main".
std::string place_in_program(const SourceMap& source_map, const ElfImage& image, std::uint32_t address);

}  // namespace nocbench::riscv
