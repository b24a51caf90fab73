// SPDX-License-Identifier: Apache-2.0
// Sends a block to a consumer each time that it is ready, followed by a flag.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t inbox = get_arg_val<uint32_t>(1);
    const uint32_t noc_x = get_arg_val<uint32_t>(2);
    const uint32_t noc_y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(0);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(1);
    const uint32_t ready = get_semaphore(get_compile_time_arg_val(2));
    const uint32_t sent = get_semaphore(get_compile_time_arg_val(3));

    volatile tt_l1_ptr uint32_t* ready_pointer = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(ready);
    volatile tt_l1_ptr uint32_t* sent_pointer = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(sent);
    noc_semaphore_set(sent_pointer, VALID);
    const uint64_t sent_at_consumer = get_noc_addr(noc_x, noc_y, sent);

    for (uint32_t block = 0; block < num_blocks; ++block) {
        noc_semaphore_wait(ready_pointer, 1);
        noc_semaphore_set(ready_pointer, 0);
        noc_async_write(source + block * block_bytes, get_noc_addr(noc_x, noc_y, inbox), block_bytes);
        noc_async_writes_flushed();
        noc_semaphore_set_remote(sent, sent_at_consumer);
    }
    noc_async_write_barrier();
}
