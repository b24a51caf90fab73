// Pages of tensors: the bank and place of each, and the words from which kernels compute them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nocbench {

struct PagePlace {
    std::uint32_t bank = 0;  // by number
    std::uint32_t row = 0;   // pages before it in its bank
};

/// Division of a tensor's pages among banks, as the headers of kernels compute it.
struct TensorLayout {
    std::vector<std::uint32_t> tensor;  // pages in each dimension
    std::vector<std::uint32_t> shard;   // the same of a shard; empty: page by page
    std::uint32_t num_banks = 1;

    /// Returns the places of all pages, in order. Shards go round the banks; pages in a shard are row by row.
    [[nodiscard]] std::vector<PagePlace> places() const;
    /// Returns the most pages of a bank.
    [[nodiscard]] std::uint32_t rows_per_bank() const;
    /// Returns the compile-time arguments of TensorAccessorArgs. `banks`: bank_word() of each bank that has shards.
    [[nodiscard]] std::vector<std::uint32_t> accessor_words(bool is_dram, std::span<const std::uint32_t> banks) const;
};

/// Returns the coordinate of a bank as these arguments have it.
constexpr std::uint32_t bank_word(std::uint32_t x, std::uint32_t y) {
    constexpr unsigned kBits = 8;
    return x << kBits | y;
}

}  // namespace nocbench
