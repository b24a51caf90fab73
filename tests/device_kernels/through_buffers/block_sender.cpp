// SPDX-License-Identifier: Apache-2.0
// Reads blocks from DRAM and multicasts each to a row of cores when all of them have space.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t x_start = get_arg_val<uint32_t>(1);
    const uint32_t y_start = get_arg_val<uint32_t>(2);
    const uint32_t x_end = get_arg_val<uint32_t>(3);
    const uint32_t y_end = get_arg_val<uint32_t>(4);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(0);
    constexpr uint32_t block_tiles = get_compile_time_arg_val(1);
    constexpr uint32_t num_receivers = get_compile_time_arg_val(2);
    const uint32_t ready = get_semaphore(get_compile_time_arg_val(3));
    const uint32_t valid = get_semaphore(get_compile_time_arg_val(4));
    constexpr uint32_t cb = 0;
    constexpr uint32_t tile_bytes = get_tile_size(cb);
    constexpr uint32_t block_bytes = tile_bytes * block_tiles;

    auto* ready_pointer = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(ready);
    auto* valid_pointer = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(valid);
    *valid_pointer = VALID;
    const uint64_t valid_at_receivers = get_noc_multicast_addr(x_start, y_start, x_end, y_end, valid);
    const InterleavedAddrGenFast<true> source = {
        .bank_base_address = address, .page_size = tile_bytes, .data_format = get_dataformat(cb)};

    uint32_t tile = 0;
    for (uint32_t block = 0; block < num_blocks; ++block) {
        cb_reserve_back(cb, block_tiles);
        const uint32_t start = get_write_ptr(cb);
        for (uint32_t i = 0; i < block_tiles; ++i) {
            noc_async_read_tile(tile++, source, start + i * tile_bytes);
        }
        noc_async_read_barrier();

        noc_semaphore_wait(ready_pointer, num_receivers);
        noc_semaphore_set(ready_pointer, 0);
        const uint64_t receivers = get_noc_multicast_addr(x_start, y_start, x_end, y_end, start);
        noc_async_write_multicast(start, receivers, block_bytes, num_receivers);
#ifdef ARCH_BLACKHOLE
        // In this case the flag could overtake the data.
        noc_async_writes_flushed();
#endif
        noc_semaphore_set_multicast(valid, valid_at_receivers, num_receivers);
        noc_async_write_barrier();
        cb_push_back(cb, block_tiles);
        cb_wait_front(cb, block_tiles);
        cb_pop_front(cb, block_tiles);
    }
}
