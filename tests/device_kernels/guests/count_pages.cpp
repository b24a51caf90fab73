// SPDX-License-Identifier: Apache-2.0
// Waits until all pages are here, and moves their first words into a row with a buffer's write pointer as a scratch.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t inbox = get_arg_val<uint32_t>(0);
    const uint32_t row = get_arg_val<uint32_t>(1);
    const uint32_t num_pages = get_arg_val<uint32_t>(2);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);

    experimental::Noc noc;
    experimental::CircularBuffer scratch(get_compile_time_arg_val(1));
    experimental::Semaphore<ProgrammableCoreType::TENSIX> arrived(get_compile_time_arg_val(2));
    arrived.wait(num_pages);

    const experimental::UnicastEndpoint own_core;
    scratch.reserve_back(1);
    for (uint32_t page = 0; page < num_pages; ++page) {
        noc.async_read(
            own_core, experimental::use<experimental::CircularBuffer::AddrSelector::WRITE_PTR>(scratch), 16,
            {.noc_x = my_x[noc.get_noc_id()], .noc_y = my_y[noc.get_noc_id()], .addr = inbox + page * page_bytes},
            {.offset_bytes = page * 16});
    }
    noc.async_read_barrier();
    volatile tt_l1_ptr uint32_t* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(scratch.get_write_ptr());
    volatile tt_l1_ptr uint32_t* first_words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(row);
    for (uint32_t page = 0; page < num_pages; ++page) {
        first_words[page] = words[4 * page];
    }
}
