// SPDX-License-Identifier: Apache-2.0
// The same with objects: the last call is `up`.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t block = get_arg_val<uint32_t>(0);
    const uint32_t inbox = get_arg_val<uint32_t>(1);
    const uint32_t x = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(0);
    experimental::Noc noc;
    experimental::UnicastEndpoint core;
    noc.async_write(core, core, block_bytes, {.addr = block}, {.noc_x = x, .noc_y = y, .addr = inbox});
    noc.async_write_barrier();
    experimental::Semaphore<>(get_compile_time_arg_val(1)).up(noc, x, y, 1);
}
