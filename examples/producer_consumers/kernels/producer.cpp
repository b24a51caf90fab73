// SPDX-License-Identifier: Apache-2.0
// Sends blocks to all consumers, each block when all of them have space for it.

#include <cstdint>

#include "dataflow_api.h"
#include "handshake.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t inbox = get_arg_val<uint32_t>(1);
    const uint32_t x_start = get_arg_val<uint32_t>(2);
    const uint32_t y_start = get_arg_val<uint32_t>(3);
    const uint32_t x_end = get_arg_val<uint32_t>(4);
    const uint32_t y_end = get_arg_val<uint32_t>(5);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(0);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t num_consumers = get_compile_time_arg_val(2);

    auto* ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(READY));
    auto* delivered = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(DELIVERED));
    *delivered = VALID;

    for (uint32_t block = 0; block < num_blocks; ++block) {
        noc_semaphore_wait(ready, num_consumers);
        noc_semaphore_set(ready, 0);
        const uint32_t from = source + block * block_bytes;
#ifdef UNICAST
        for (uint32_t x = x_start; x <= x_end; ++x) {
            noc_async_write(from, get_noc_addr(x, y_start, inbox), block_bytes);
        }
        noc_async_write_barrier();
        for (uint32_t x = x_start; x <= x_end; ++x) {
            noc_semaphore_set_remote(get_semaphore(DELIVERED), get_noc_addr(x, y_start, get_semaphore(DELIVERED)));
        }
#else
        const uint64_t inboxes = get_noc_multicast_addr(x_start, y_start, x_end, y_end, inbox);
        noc_async_write_multicast(from, inboxes, block_bytes, num_consumers);
        noc_async_write_barrier();
        const uint64_t flags = get_noc_multicast_addr(x_start, y_start, x_end, y_end, get_semaphore(DELIVERED));
        noc_semaphore_set_multicast(get_semaphore(DELIVERED), flags, num_consumers);
#endif
        noc_async_write_barrier();
    }
}
