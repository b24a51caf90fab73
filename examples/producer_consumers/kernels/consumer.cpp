// SPDX-License-Identifier: Apache-2.0
// Receives blocks, and stores each behind the previous one.

#include <cstdint>

#include "dataflow_api.h"
#include "handshake.h"

void kernel_main() {
    const uint32_t inbox = get_arg_val<uint32_t>(0);
    const uint32_t outcome = get_arg_val<uint32_t>(1);
    const uint64_t ready_at_producer =
        get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), get_semaphore(READY));
    constexpr uint32_t num_blocks = get_compile_time_arg_val(0);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(1);
    auto* delivered = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(DELIVERED));

    for (uint32_t block = 0; block < num_blocks; ++block) {
        noc_semaphore_set(delivered, INVALID);
        noc_semaphore_inc(ready_at_producer, 1);
        noc_semaphore_wait(delivered, VALID);
        noc_async_write(inbox, get_noc_addr(my_x[noc_index], my_y[noc_index], outcome + block * block_bytes),
                        block_bytes);
        noc_async_write_barrier();
    }
    noc_async_atomic_barrier();
}
