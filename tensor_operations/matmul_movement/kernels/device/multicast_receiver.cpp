// SPDX-License-Identifier: Apache-2.0
// Receives the blocks of an operand: signals the sender that there is space for a block, and waits for the block.
// Runtime arguments: number of blocks, x and y of the sender, semaphore on the sender that receivers increment, local
// semaphore that announces a block.

#include "dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_blocks = get_arg_val<uint32_t>(0);
    const uint64_t ready =
        get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_semaphore(get_arg_val<uint32_t>(3)));
    auto* const arrived = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(get_arg_val<uint32_t>(4)));

    DeviceZoneScopedN("RECEIVE");
    for (uint32_t block = 0; block < num_blocks; ++block) {
        noc_semaphore_set(arrived, 0);
        noc_semaphore_inc(ready, 1);
        noc_semaphore_wait(arrived, 1);
    }
    noc_async_atomic_barrier();
}
