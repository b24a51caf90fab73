// SPDX-License-Identifier: Apache-2.0
// Scatters a block over pages that are interleaved over the L1 of all cores.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t num_pages = get_arg_val<uint32_t>(2);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    for (uint32_t page = 0; page < num_pages; ++page) {
        const uint64_t place = get_l1_noc_addr(page, page_bytes, target, 0, noc_index);
        noc_async_write(source + page * page_bytes, place, page_bytes);
    }
    noc_async_write_barrier();
}
