// SPDX-License-Identifier: Apache-2.0
// Writes its part of a table on another core, then increments a semaphore there.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t part = get_arg_val<uint32_t>(0);
    uint32_t table = get_arg_val<uint32_t>(1);
    uint32_t noc_x = get_arg_val<uint32_t>(2);
    uint32_t noc_y = get_arg_val<uint32_t>(3);
    uint32_t index = get_arg_val<uint32_t>(4);
    constexpr uint32_t part_bytes = get_compile_time_arg_val(0);

    // Each word contains its index, so that the parts can be distinguished.
    auto words = (volatile tt_l1_ptr uint32_t*)part;
    for (uint32_t i = 0; i < part_bytes / 4; ++i) {
        words[i] = index * (part_bytes / 4) + i;
    }
    noc_async_write(part, get_noc_addr(noc_x, noc_y, table + index * part_bytes), part_bytes);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(noc_x, noc_y, get_semaphore(0)), 1);
    noc_async_atomic_barrier();
}
