// SPDX-License-Identifier: Apache-2.0
// Sends pages to a neighbour, and counts them by the neighbour's semaphore object.

#include "dataflow_api.h"
#include "experimental/core_local_mem.h"
#include "experimental/endpoints.h"
#include "experimental/noc.h"
#include "experimental/noc_semaphore.h"

void kernel_main() {
    const uint32_t inbox = get_arg_val<uint32_t>(1);
    const uint32_t noc_x = get_arg_val<uint32_t>(2);
    const uint32_t noc_y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_pages = get_compile_time_arg_val(0);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(1);

    experimental::Noc noc;
    experimental::UnicastEndpoint endpoint;
    experimental::CoreLocalMem<uint32_t> source(get_arg_val<uint32_t>(0));
    experimental::Semaphore<> arrived(get_compile_time_arg_val(2));
    for (uint32_t page = 0; page < num_pages; ++page) {
        noc.async_write(source, endpoint, page_bytes, {.offset_bytes = page * page_bytes},
                        {.noc_x = noc_x, .noc_y = noc_y, .addr = inbox + page * page_bytes});
        noc.async_write_barrier();
        arrived.up(noc, noc_x, noc_y, 1);
    }
    noc.async_atomic_barrier();
}
