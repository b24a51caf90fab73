// SPDX-License-Identifier: Apache-2.0
// Gathers interleaved pages of DRAM by their addresses, the last halves first.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t num_pages = get_arg_val<uint32_t>(2);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t half = page_bytes / 2;
    for (uint32_t page = 0; page < num_pages; ++page) {
        const uint32_t place = target + page * page_bytes;
        noc_async_read(get_dram_noc_addr(page, page_bytes, source, half), place, half);
        noc_async_read(get_dram_noc_addr(page, page_bytes, source), place + half, half);
    }
    noc_async_read_barrier();
}
