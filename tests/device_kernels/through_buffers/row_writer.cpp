// SPDX-License-Identifier: Apache-2.0
// Writes rows of part_bytes to consecutive addresses.

#include "dataflow_api.h"

void kernel_main() {
    const InterleavedAddrGen<true> rows = {.bank_base_address = get_arg_val<uint32_t>(0),
                                           .page_size = get_arg_val<uint32_t>(1)};
    const uint32_t num_rows = get_arg_val<uint32_t>(2);
    constexpr uint32_t part_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t cb = tt::CBIndex::c_1;

    for (uint32_t row = 0; row < num_rows; ++row) {
        cb_wait_front(cb, 1);
        noc_async_write(get_read_ptr(cb), rows.get_noc_addr(row), part_bytes);
        noc_async_write_barrier();
        cb_pop_front(cb, 1);
    }
}
