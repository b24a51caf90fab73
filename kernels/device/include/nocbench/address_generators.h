// SPDX-License-Identifier: Apache-2.0
// Addresses of the pages of an interleaved buffer: page p is in bank p mod banks.

#pragma once

#include "nocbench/addresses.h"
#include "tensix_types.h"

/// Returns the bytes of `tiles` tiles of 32 x 32 values in a format.
constexpr uint32_t MUL_WITH_TILE_SIZE(uint32_t format, uint32_t tiles) {
    return nocbench::tile_bytes(static_cast<DataFormat>(format & 0x1F)) * tiles;
}

namespace nocbench {

template <bool DRAM>
FORCE_INLINE BankAddress interleaved_address(uint32_t page, uint32_t base, uint32_t aligned_page_bytes, uint32_t offset,
                                             uint8_t noc) {
    const uint32_t turn = interleaved_addr_gen::get_bank_offset_index<DRAM>(page);
    const uint32_t bank = interleaved_addr_gen::get_bank_index<DRAM>(page, turn);
    const uint32_t address =
        turn * aligned_page_bytes + base + offset + interleaved_addr_gen::get_bank_offset<DRAM>(bank);
    return {interleaved_addr_gen::get_noc_xy<DRAM>(bank, noc), address};
}

}  // namespace nocbench

template <bool DRAM>
struct InterleavedAddrGen {
    uint32_t bank_base_address;
    const uint32_t page_size;
    const uint32_t aligned_page_size =
        align_power_of_2(page_size, interleaved_addr_gen::get_allocator_alignment<DRAM>());

    FORCE_INLINE uint32_t get_aligned_page_size() const { return aligned_page_size; }

    FORCE_INLINE nocbench::BankAddress bank_address(uint32_t id, uint32_t offset, uint8_t noc) const {
        return nocbench::interleaved_address<DRAM>(id, bank_base_address, aligned_page_size, offset, noc);
    }
    FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const {
        return static_cast<uint64_t>(bank_address(id, offset, noc));
    }
};

/// Address generator for pages whose size is a power of two.
template <bool DRAM>
struct InterleavedPow2AddrGen {
    uint32_t bank_base_address;
    const uint32_t log_base_2_of_page_size;
    const uint32_t page_size = 1U << log_base_2_of_page_size;
    const uint32_t aligned_page_size =
        align_power_of_2(page_size, interleaved_addr_gen::get_allocator_alignment<DRAM>());

    FORCE_INLINE nocbench::BankAddress bank_address(uint32_t id, uint32_t offset, uint8_t noc) const {
        return nocbench::interleaved_address<DRAM>(id, bank_base_address, aligned_page_size, offset, noc);
    }
    FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const {
        return static_cast<uint64_t>(bank_address(id, offset, noc));
    }
};

/// Address generator for pages of one tile.
template <bool DRAM, uint32_t tile_hw = 1024>
struct InterleavedAddrGenFast {
    uint32_t bank_base_address;
    uint32_t page_size;
    DataFormat data_format;

    FORCE_INLINE uint32_t get_aligned_page_size() const {
        return align_power_of_2(page_size, interleaved_addr_gen::get_allocator_alignment<DRAM>());
    }

    FORCE_INLINE nocbench::BankAddress bank_address(uint32_t id, uint32_t offset, uint8_t noc) const {
        const uint32_t bytes = nocbench::tile_bytes(data_format) * tile_hw / 1024;
        return nocbench::interleaved_address<DRAM>(
            id, bank_base_address, align_power_of_2(bytes, interleaved_addr_gen::get_allocator_alignment<DRAM>()),
            offset, noc);
    }
    FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const {
        return static_cast<uint64_t>(bank_address(id, offset, noc));
    }
};

template <bool DRAM>
struct InterleavedPow2AddrGenFast {
    uint32_t bank_base_address;
    const uint32_t log_base_2_of_page_size;
    const uint32_t page_size = 1U << log_base_2_of_page_size;
    const uint32_t aligned_log_base_2_of_page_size =
        log_base_2_of_page_size > (DRAM ? (DRAM_ALIGNMENT == 64 ? 6 : 5) : 4)
            ? log_base_2_of_page_size
            : (DRAM ? (DRAM_ALIGNMENT == 64 ? 6 : 5) : 4);

    FORCE_INLINE nocbench::BankAddress bank_address(uint32_t id, uint32_t offset, uint8_t noc) const {
        const uint32_t turn = interleaved_addr_gen::get_bank_offset_index<DRAM>(id);
        const uint32_t bank = interleaved_addr_gen::get_bank_index<DRAM>(id, turn);
        const uint32_t address = (turn << aligned_log_base_2_of_page_size) + bank_base_address + offset +
                                 interleaved_addr_gen::get_bank_offset<DRAM>(bank);
        return {interleaved_addr_gen::get_noc_xy<DRAM>(bank, noc), address};
    }
    FORCE_INLINE uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const {
        return static_cast<uint64_t>(bank_address(id, offset, noc));
    }
};

/// Returns the address of a page by an address generator or a TensorAccessor.
template <typename AddrGen>
    requires requires(const AddrGen& generator) { generator.get_noc_addr(0U, 0U, noc_index); }
FORCE_INLINE uint64_t get_noc_addr(uint32_t id, const AddrGen& addrgen, uint32_t offset = 0, uint8_t noc = noc_index) {
    return addrgen.get_noc_addr(id, offset, noc);
}

template <typename AddrGen>
constexpr bool has_get_aligned_page_size_v = requires(const AddrGen& generator) { generator.get_aligned_page_size(); };

namespace nocbench {

/// Returns the bytes of a generator's page.
template <typename AddrGen>
FORCE_INLINE uint32_t page_bytes_of(const AddrGen& generator) {
    return generator.page_size;
}

/// Generator that provides the address words of a bank.
template <typename AddrGen>
concept HasBankAddress = requires(const AddrGen& generator) { generator.bank_address(0U, 0U, noc_index); };

}  // namespace nocbench

/// Return the address of a page that is interleaved over all banks of DRAM, or of L1.
FORCE_INLINE uint64_t get_dram_noc_addr(uint32_t id, uint32_t page_size, uint32_t bank_base_address,
                                        uint32_t offset = 0, uint8_t noc = noc_index) {
    return InterleavedAddrGen<true>{bank_base_address, page_size}.get_noc_addr(id, offset, noc);
}
FORCE_INLINE uint64_t get_l1_noc_addr(uint32_t id, uint32_t page_size, uint32_t bank_base_address, uint32_t offset = 0,
                                      uint8_t noc = noc_index) {
    return InterleavedAddrGen<false>{bank_base_address, page_size}.get_noc_addr(id, offset, noc);
}
