// SPDX-License-Identifier: Apache-2.0
// Receives blocks by multicast into a buffer at the sender's buffer address.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t sender_x = get_arg_val<uint32_t>(0);
    const uint32_t sender_y = get_arg_val<uint32_t>(1);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(0);
    constexpr uint32_t block_tiles = get_compile_time_arg_val(1);
    auto* valid = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(get_compile_time_arg_val(3)));
    const uint64_t ready_at_sender = get_noc_addr(sender_x, sender_y, get_semaphore(get_compile_time_arg_val(2)));
    constexpr uint32_t cb = 0;

    for (uint32_t block = 0; block < num_blocks; ++block) {
        cb_reserve_back(cb, block_tiles);
        noc_semaphore_set(valid, INVALID);
        noc_semaphore_inc(ready_at_sender, 1);
        noc_semaphore_wait(valid, VALID);
        cb_push_back(cb, block_tiles);
    }
    noc_async_atomic_barrier();
}
