// SPDX-License-Identifier: Apache-2.0
// Reads the middle of each row of a row-major tensor.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t base = get_arg_val<uint32_t>(0);
    const uint32_t num_rows = get_arg_val<uint32_t>(1);
    const uint32_t row_bytes = get_arg_val<uint32_t>(2);
    const uint32_t offset_bytes = get_arg_val<uint32_t>(3);
    constexpr uint32_t part_bytes = get_compile_time_arg_val(0);
    constexpr auto cb = tt::CBIndex::c_1;

    const InterleavedAddrGen<true> rows = {.bank_base_address = base, .page_size = row_bytes};
    for (uint32_t row = 0; row < num_rows; ++row) {
        cb_reserve_back(cb, 1);
        const uint64_t address = get_noc_addr(row, rows, offset_bytes);
        noc_async_read<part_bytes>(address, get_write_ptr(cb), part_bytes);
        noc_async_read_barrier();
        cb_push_back(cb, 1);
    }
}
