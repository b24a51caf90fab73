// SPDX-License-Identifier: Apache-2.0
// Signals a producer that it is ready, waits for the flag, and copies the block from its inbox.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t inbox = get_arg_val<uint32_t>(0);
    const uint32_t outcome = get_arg_val<uint32_t>(1);
    const uint32_t noc_x = get_arg_val<uint32_t>(2);
    const uint32_t noc_y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(0);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(1);
    const uint32_t ready = get_semaphore(get_compile_time_arg_val(2));
    volatile tt_l1_ptr uint32_t* sent =
        reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(get_compile_time_arg_val(3)));
    const uint64_t ready_at_producer = get_noc_addr(noc_x, noc_y, ready);

    for (uint32_t block = 0; block < num_blocks; ++block) {
        noc_semaphore_set(sent, INVALID);
        noc_semaphore_inc(ready_at_producer, 1);
        noc_semaphore_wait(sent, VALID);
        // The core copies its inbox within its own memory by the NoC.
        noc_async_read(get_noc_addr(inbox), outcome + block * block_bytes, block_bytes);
        noc_async_read_barrier();
    }
    noc_async_atomic_barrier();
}
