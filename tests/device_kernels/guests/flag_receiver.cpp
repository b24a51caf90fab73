// SPDX-License-Identifier: Apache-2.0
// Waits for the flag and then copies the block, which must be here.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t block = get_arg_val<uint32_t>(0);
    const uint32_t copy = get_arg_val<uint32_t>(2);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t word = get_compile_time_arg_val(1);
    noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(1)), word);
    noc_async_read(get_noc_addr(block), copy, block_bytes);
    noc_async_read_barrier();
}
