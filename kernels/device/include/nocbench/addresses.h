// SPDX-License-Identifier: Apache-2.0
// NoC addresses of cores, rectangles of cores, and banks.

#pragma once

#include "nocbench/division.h"
#include "nocbench/firmware.h"

namespace nocbench {

/// Address in a bank, in words for the NIU. Upper address bits are not needed: banks are too small.
struct BankAddress {
    uint32_t coordinates;
    uint32_t low;

    FORCE_INLINE explicit operator uint32_t() const { return low; }
    FORCE_INLINE explicit operator uint64_t() const {
        return static_cast<uint64_t>(coordinates) << NOC_ADDR_COORD_SHIFT | low;
    }
    FORCE_INLINE BankAddress& operator+=(uint32_t bytes) {
        low += bytes;
        return *this;
    }
};

}  // namespace nocbench

/// Returns an address of a core given by coordinates.
FORCE_INLINE uint64_t get_noc_addr(uint32_t noc_x, uint32_t noc_y, uint32_t addr, uint8_t noc = noc_index) {
    (void)noc;  // equal on both NoCs: the NIU translates coordinates
    return NOC_XY_ADDR(noc_x, noc_y, addr);
}

struct coord_t {
    uint8_t x;
    uint8_t y;
};

/// Returns the coordinates by which kernels address a logical core.
FORCE_INLINE coord_t get_virtual_coord_from_worker_logical_coord(uint8_t worker_x, uint8_t worker_y) {
    return {worker_logical_col_to_virtual_col[worker_x], worker_logical_row_to_virtual_row[worker_y]};
}

/// Returns an address of this core.
FORCE_INLINE uint64_t get_noc_addr(uint32_t addr, uint8_t noc = noc_index) {
    return NOC_XY_ADDR(my_x[noc], my_y[noc], addr);
}

/// Returns an address of all cores of a rectangle. On NoC 1, which runs in the opposite direction, swaps start and end
/// unless the kernel has done so.
FORCE_INLINE uint64_t get_noc_multicast_addr(uint32_t noc_x_start, uint32_t noc_y_start, uint32_t noc_x_end,
                                             uint32_t noc_y_end, uint32_t addr, uint8_t noc = noc_index) {
    return noc == 0 || noc_x_start > noc_x_end || noc_y_start > noc_y_end
               ? NOC_MULTICAST_ADDR(noc_x_start, noc_y_start, noc_x_end, noc_y_end, addr)
               : NOC_MULTICAST_ADDR(noc_x_end, noc_y_end, noc_x_start, noc_y_start, addr);
}

constexpr uint32_t align(uint32_t value, uint32_t alignment) { return (value + alignment - 1) / alignment * alignment; }

constexpr bool is_power_of_2(uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

constexpr uint32_t align_power_of_2(uint32_t value, uint32_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

namespace interleaved_addr_gen {

template <bool DRAM>
constexpr uint32_t get_allocator_alignment() {
    return DRAM ? DRAM_ALIGNMENT : L1_ALIGNMENT;
}

/// Returns the number of complete rounds over all banks before a page.
template <bool DRAM>
FORCE_INLINE uint32_t get_bank_offset_index(uint32_t page) {
    if constexpr (DRAM) {
        return udivsi3_const_divisor<NUM_DRAM_BANKS>(page);
    } else {
        return udivsi3_const_divisor<NUM_L1_BANKS>(page);
    }
}

template <bool DRAM>
FORCE_INLINE uint32_t get_bank_index(uint32_t page, uint32_t bank_offset_index) {
    if constexpr (DRAM) {
        return page - bank_offset_index * NUM_DRAM_BANKS;
    } else {
        return page - bank_offset_index * NUM_L1_BANKS;
    }
}

/// Returns the coordinates of a bank: y << 6 | x.
template <bool DRAM>
FORCE_INLINE uint32_t get_noc_xy(uint32_t bank, uint8_t noc = noc_index) {
    if constexpr (DRAM) {
        return dram_bank_to_noc_xy[noc][bank];
    } else {
        return l1_bank_to_noc_xy[noc][bank];
    }
}

template <bool DRAM>
FORCE_INLINE uint32_t get_bank_offset(uint32_t bank) {
    if constexpr (DRAM) {
        return bank_to_dram_offset[bank];
    } else {
        return bank_to_l1_offset[bank];
    }
}

}  // namespace interleaved_addr_gen

/// Returns the address for `noc_xy` in register format, as in the tables of banks, or from NOC_XY_PCIE_ENCODING.
template <typename Encoding>
FORCE_INLINE uint64_t get_noc_addr_helper(Encoding noc_xy, uint32_t addr) {
    if constexpr (sizeof(Encoding) == sizeof(uint64_t)) {
        return noc_xy | addr;
    } else {
        return static_cast<uint64_t>(static_cast<uint32_t>(noc_xy)) << NOC_ADDR_COORD_SHIFT | addr;
    }
}

template <bool DRAM>
FORCE_INLINE uint64_t get_noc_addr_from_bank_id(uint32_t bank_id, uint32_t bank_address_offset,
                                                uint8_t noc = noc_index) {
    return get_noc_addr_helper(interleaved_addr_gen::get_noc_xy<DRAM>(bank_id, noc),
                               bank_address_offset + interleaved_addr_gen::get_bank_offset<DRAM>(bank_id));
}
