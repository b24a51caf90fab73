// SPDX-License-Identifier: Apache-2.0
// Printing of whole pages of L1.

#pragma once

#include "nocbench/watching/printing.h"

namespace tt::data_movement::common {

/// Prints pages of bfloat16 values.
inline void print_bf16_pages(uint32_t l1_addr, uint32_t elts_per_page, uint32_t npages, uint32_t start = 0) {
    volatile tt_l1_ptr uint16_t* value =
        reinterpret_cast<volatile tt_l1_ptr uint16_t*>(l1_addr) + start * elts_per_page;
    for (uint32_t page = 0; page < npages; ++page) {
        DPRINT << start + page << ": ";
        for (uint32_t element = 0; element < elts_per_page; ++element, ++value) {
            DPRINT << BF16(*value) << " ";
        }
        DPRINT << ENDL();
    }
}

inline void print_f32_pages(uint32_t l1_addr, uint32_t elts_per_page, uint32_t npages, uint32_t start = 0) {
    volatile tt_l1_ptr uint32_t* value =
        reinterpret_cast<volatile tt_l1_ptr uint32_t*>(l1_addr) + start * elts_per_page;
    for (uint32_t page = 0; page < npages; ++page) {
        DPRINT << start + page << ": ";
        for (uint32_t element = 0; element < elts_per_page; ++element, ++value) {
            DPRINT << F32(static_cast<uint32_t>(*value)) << " ";
        }
        DPRINT << ENDL();
    }
}

inline void print_u8_pages(uint32_t l1_addr, uint32_t bytes_per_page, uint32_t npages, uint32_t start = 0) {
    volatile tt_l1_ptr uint8_t* value = reinterpret_cast<volatile tt_l1_ptr uint8_t*>(l1_addr) + start * bytes_per_page;
    for (uint32_t page = 0; page < npages; ++page) {
        DPRINT << start + page << ": ";
        for (uint32_t byte = 0; byte < bytes_per_page; ++byte, ++value) {
            DPRINT << static_cast<uint32_t>(*value) << " ";
        }
        DPRINT << ENDL();
    }
}

}  // namespace tt::data_movement::common

using tt::data_movement::common::print_bf16_pages;
using tt::data_movement::common::print_f32_pages;
using tt::data_movement::common::print_u8_pages;
