// SPDX-License-Identifier: Apache-2.0
// Copies pages from a circular buffer into L1 by loads and stores.

#include "api/core_local_mem.h"
#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    const uint32_t num_pages = get_arg_val<uint32_t>(1);
    CircularBuffer cb(5);
    CoreLocalMem<uint32_t> target(get_arg_val<uint32_t>(0));
    for (uint32_t page = 0; page < num_pages; ++page) {
        cb.wait_front(1);
        CoreLocalMem<uint32_t> source(cb.get_read_ptr());
        for (uint32_t word = 0; word < cb.get_entry_size() / sizeof(uint32_t); ++word) {
            *target++ = source[word];
        }
        cb.pop_front(1);
    }
}
