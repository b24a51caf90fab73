// SPDX-License-Identifier: Apache-2.0
// Fills a region with the zeros of L1, read over the NoC from the core itself.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t target = get_arg_val<uint32_t>(0);
    uint32_t bytes = get_arg_val<uint32_t>(1);
    uint64_t zeros = get_noc_addr(MEM_ZEROS_BASE);
    while (bytes >= MEM_ZEROS_SIZE) {
        noc_async_read(zeros, target, MEM_ZEROS_SIZE);
        target += MEM_ZEROS_SIZE;
        bytes -= MEM_ZEROS_SIZE;
    }
    if (bytes > 0) {
        noc_async_read(zeros, target, bytes);
    }
    noc_async_read_barrier();
}
