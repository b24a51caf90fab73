// SPDX-License-Identifier: Apache-2.0
// Receives blocks by multicast and sums them word by word.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

void kernel_main() {
    const uint32_t sender_x = get_arg_val<uint32_t>(2);
    const uint32_t sender_y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(0);
    constexpr uint32_t block_words = get_compile_time_arg_val(1) / 4;

    Noc noc;
    CoreLocalMem<volatile uint32_t> inbox(get_arg_val<uint32_t>(0));
    CoreLocalMem<volatile uint32_t> sum(get_arg_val<uint32_t>(1));
    Semaphore ready(get_compile_time_arg_val(2));
    Semaphore valid(get_compile_time_arg_val(3));
    for (uint32_t block = 0; block < num_blocks; ++block) {
        valid.set(INVALID);
        ready.up(noc, sender_x, sender_y, 1);
        valid.wait(VALID);
        for (uint32_t word = 0; word < block_words; ++word) {
            sum[word] = sum[word] + inbox[word];
        }
    }
    noc.async_atomic_barrier();
}
