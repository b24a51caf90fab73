// SPDX-License-Identifier: Apache-2.0
// Writes pages in batches, and polls for the next batch before waiting for it.

#include "dataflow_api.h"

void kernel_main() {
    constexpr uint32_t batch = get_compile_time_arg_val(0);
    constexpr uint32_t cb = 0;
    const uint32_t num_pages = get_arg_val<uint32_t>(1);
    const InterleavedAddrGenFast<true> target = {get_arg_val<uint32_t>(0), get_tile_size(cb), get_dataformat(cb)};
    uint32_t tries = 0;
    for (uint32_t page = 0; page < num_pages; page += batch) {
        while (!cb_pages_available_at_front(cb, batch)) {
            ++tries;
        }
        cb_wait_front(cb, batch);
        uint32_t source = get_read_ptr(cb);
        for (uint32_t i = 0; i < batch; ++i, source += get_tile_size(cb)) {
            noc_async_write_tile(page + i, target, source);
        }
        noc_async_write_barrier();
        cb_pop_front(cb, batch);
    }
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(2)) = tries > 0 ? 1 : 0;
}
