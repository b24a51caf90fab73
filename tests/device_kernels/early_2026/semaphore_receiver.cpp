// SPDX-License-Identifier: Apache-2.0
// Takes pages out of the inbox as they arrive, in reverse order.

#include "dataflow_api.h"
#include "experimental/core_local_mem.h"
#include "experimental/noc.h"
#include "experimental/noc_semaphore.h"

void kernel_main() {
    constexpr uint32_t num_pages = get_compile_time_arg_val(0);
    constexpr uint32_t page_words = get_compile_time_arg_val(1) / sizeof(uint32_t);
    experimental::Semaphore<> arrived(get_compile_time_arg_val(2));
    experimental::CoreLocalMem<uint32_t> inbox(get_arg_val<uint32_t>(0));
    experimental::CoreLocalMem<uint32_t> outcome(get_arg_val<uint32_t>(1));
    for (uint32_t page = 0; page < num_pages; ++page) {
        arrived.wait_min(page + 1);
        for (uint32_t word = 0; word < page_words; ++word) {
            outcome[(num_pages - 1 - page) * page_words + word] = inbox[page * page_words + word];
        }
    }
    arrived.set(0);
}
