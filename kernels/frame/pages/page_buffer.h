// Buffers of pages that are dealt to banks: where each page is, and what kernels are told of that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/frame/data_check.h"
#include "kernels/frame/point.h"

namespace nocbench {

/// The memories that have banks.
enum class BankMemory : std::uint8_t { dram, l1 };

std::string_view to_string(BankMemory memory);

/// Of a device: in DRAM those that programs number, in L1 the cores of the compute grid, row by row.
std::uint32_t num_banks(const Device& device, BankMemory memory);

/// Pages in the same memory: page p is in bank p mod banks, behind p / banks other ones, as page APIs of kernels
/// expect.
class PageBuffer {
public:
    /// A buffer of `num_pages` of `page_bytes` each, from `address` on in each bank. Throws InputError if it does not
    /// fit there.
    PageBuffer(const Device& device, BankMemory memory, std::uint32_t address, std::uint32_t page_bytes,
               std::uint32_t num_pages);

    [[nodiscard]] std::uint32_t address() const { return address_; }
    [[nodiscard]] std::uint32_t num_pages() const { return num_pages_; }
    /// Where the memory behind the buffer begins in each bank.
    [[nodiscard]] std::uint32_t end_address() const;

    /// Where a page is, as kernels reach it on NoC `noc`.
    [[nodiscard]] MemoryPlace place(std::uint32_t page, int noc) const;

    /// The words that `TensorAccessorArgs` of a kernel reads.
    [[nodiscard]] std::vector<std::uint32_t> layout() const;

private:
    const Device& device_;
    BankMemory memory_;
    std::uint32_t address_;
    std::uint32_t num_pages_;
    std::uint32_t num_banks_;
    std::uint32_t page_stride_bytes_;  // from one page of a bank to the next
};

/// Where buffers in a memory may begin: in DRAM behind what firmware keeps, in L1 behind `l1_end`.
std::uint32_t first_bank_address(const Device& device, BankMemory memory, std::uint32_t l1_end);

}  // namespace nocbench
