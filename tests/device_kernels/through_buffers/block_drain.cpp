// SPDX-License-Identifier: Apache-2.0
// Writes received blocks to consecutive L1 addresses.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t target = get_arg_val<uint32_t>(0);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(0);
    constexpr uint32_t block_tiles = get_compile_time_arg_val(1);
    constexpr uint32_t block_bytes = block_tiles * get_tile_size(0);
    for (uint32_t block = 0; block < num_blocks; ++block) {
        cb_wait_front(0, block_tiles);
        noc_async_write(get_read_ptr(0), get_noc_addr(target), block_bytes);
        noc_async_write_barrier();
        target += block_bytes;
        cb_pop_front(0, block_tiles);
    }
}
