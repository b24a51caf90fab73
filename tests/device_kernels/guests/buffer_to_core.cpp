// SPDX-License-Identifier: Apache-2.0
// Empties a circular buffer into the L1 of another core, and counts the pages there.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t x = get_arg_val<uint32_t>(0);
    const uint32_t y = get_arg_val<uint32_t>(1);
    const uint32_t target = get_arg_val<uint32_t>(2);
    const uint32_t num_pages = get_arg_val<uint32_t>(3);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t buffer_id = get_compile_time_arg_val(1);

    experimental::Noc noc(noc_index);
    experimental::CircularBuffer buffer(buffer_id);
    experimental::Semaphore<> arrived(get_compile_time_arg_val(2));
    const experimental::UnicastEndpoint other_core;
    using Pointer = experimental::CircularBuffer::AddrSelector;
    for (uint32_t page = 0; page < num_pages; ++page) {
        buffer.wait_front(1);
        noc.async_write<experimental::Noc::TxnIdMode::DISABLED, experimental::Noc::ResponseMode::NON_POSTED>(
            experimental::use<Pointer::READ_PTR>(buffer), other_core, page_bytes, {},
            {.noc_x = x, .noc_y = y, .addr = target + page * page_bytes});
        noc.async_write_barrier();
        buffer.pop_front(1);
        arrived.up(noc, x, y, 1);
    }
    noc.async_atomic_barrier();
}
