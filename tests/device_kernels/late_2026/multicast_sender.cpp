// SPDX-License-Identifier: Apache-2.0
// Waits until all receivers are ready, then multicasts a block followed by a flag.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

void kernel_main() {
    const uint32_t inbox = get_arg_val<uint32_t>(1);
    const uint32_t x_start = get_arg_val<uint32_t>(2);
    const uint32_t y_start = get_arg_val<uint32_t>(3);
    const uint32_t x_end = get_arg_val<uint32_t>(4);
    const uint32_t y_end = get_arg_val<uint32_t>(5);
    constexpr uint32_t num_receivers = get_compile_time_arg_val(0);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(1);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(2);

    Noc noc;
    MulticastEndpoint rectangle;
    CoreLocalMem<uint32_t> source(get_arg_val<uint32_t>(0));
    Semaphore ready(get_compile_time_arg_val(3));
    Semaphore valid(get_compile_time_arg_val(4));
    valid.set(VALID);

    for (uint32_t block = 0; block < num_blocks; ++block) {
        ready.wait(num_receivers);
        ready.set(0);
        noc.async_write_multicast<Noc::McastMode::EXCLUDE_SRC>(
            source, rectangle, block_bytes, num_receivers, {.offset_bytes = block * block_bytes},
            {.noc_x_start = x_start, .noc_y_start = y_start, .noc_x_end = x_end, .noc_y_end = y_end, .addr = inbox},
            true);
        if constexpr (noc_mode == DM_DEDICATED_NOC) {
            // Data and flag use one virtual channel and are linked, so the flag cannot overtake the data.
            valid.set_multicast<Noc::McastMode::EXCLUDE_SRC>(noc, x_start, y_start, x_end, y_end, num_receivers);
        }
        noc.async_write_barrier();
    }
}
