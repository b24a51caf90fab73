// SPDX-License-Identifier: Apache-2.0
// Writes a block to a core and tells it by an increment, whose acknowledgement it does not wait for.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t block = get_arg_val<uint32_t>(0);
    const uint32_t inbox = get_arg_val<uint32_t>(1);
    const uint32_t x = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(0);
    noc_async_write(block, get_noc_addr(x, y, inbox), block_bytes);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(get_compile_time_arg_val(1))), 1);
}
