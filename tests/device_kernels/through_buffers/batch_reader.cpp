// SPDX-License-Identifier: Apache-2.0
// Reads pages in batches of as many as fit into the buffer.

#include "dataflow_api.h"

template <uint32_t batch>
FORCE_INLINE void read_batch(const InterleavedAddrGenFast<true>& source, uint32_t first, uint32_t cb) {
    cb_reserve_back(cb, batch);
    uint32_t target = get_write_ptr(cb);
    for (uint32_t i = 0; i < batch; ++i) {
        noc_async_read_tile(first + i, source, target);
        target += get_tile_size(0);
    }
    noc_async_read_barrier();
    cb_push_back(cb, batch);
}

void kernel_main() {
    constexpr uint32_t batch = get_compile_time_arg_val(0);
    const uint32_t num_pages = get_arg_val<uint32_t>(1);
    const InterleavedAddrGenFast<true> source = {get_arg_val<uint32_t>(0), get_tile_size(0), get_dataformat(0)};
    for (uint32_t page = 0; page < num_pages; page += batch) {
        read_batch<batch>(source, page, 0);
    }
}
