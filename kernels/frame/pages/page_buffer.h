// Buffers of pages distributed over banks: places of pages, and the layout for kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/frame/data_check.h"
#include "kernels/frame/point.h"

namespace nocbench {

enum class BankMemory : std::uint8_t { dram, l1 };

std::string_view to_string(BankMemory memory);

/// Returns the number of banks: in DRAM those numbered by programs, in L1 the cores of the compute grid.
std::uint32_t num_banks(const Device& device, BankMemory memory);

/// Interleaved pages in one memory, as kernels' page APIs expect: page p is in bank p mod banks, at position p / banks
/// in the bank.
class PageBuffer {
public:
    /// Places a buffer of `num_pages` of `page_bytes` each, from `address` on in each bank. Throws InputError if the
    /// buffer does not fit.
    PageBuffer(const Device& device, BankMemory memory, std::uint32_t address, std::uint32_t page_bytes,
               std::uint32_t num_pages);

    [[nodiscard]] std::uint32_t address() const { return address_; }
    [[nodiscard]] std::uint32_t num_pages() const { return num_pages_; }
    /// Returns the first address behind the buffer in each bank.
    [[nodiscard]] std::uint32_t end_address() const;

    /// Returns the place of a page as reached on NoC `noc`.
    [[nodiscard]] MemoryPlace place(std::uint32_t page, int noc) const;

    /// Returns the words for a kernel's `TensorAccessorArgs`.
    [[nodiscard]] std::vector<std::uint32_t> layout() const;

private:
    const Device& device_;
    BankMemory memory_;
    std::vector<LogicalCoordinate> l1_cores_;  // by bank
    std::uint32_t address_;
    std::uint32_t num_pages_;
    std::uint32_t num_banks_;
    std::uint32_t page_stride_bytes_;  // between pages of a bank
};

/// Returns the first free address for buffers: in DRAM behind the firmware's memory, in L1 `l1_end`.
std::uint32_t first_bank_address(const Device& device, BankMemory memory, std::uint32_t l1_end);

}  // namespace nocbench
