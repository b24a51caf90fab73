// Blocks of an operand for a line of cores: the first core reads them and multicasts them to the others.
#pragma once

#include "api/dataflow/dataflow_api.h"

/// Brings `num_blocks` blocks of `block_tiles` pages into a circular buffer. `read(block, place)` begins the reads of a
/// block. Run-time arguments from 2 on: 1 for the first core of a line, two semaphores, the first core's x and y, and
/// the corners of the other cores.
template <uint32_t buffer, uint32_t block_tiles, uint32_t num_receivers, typename Read>
void bring_blocks(uint32_t num_blocks, const Read& read) {
    const bool sends = get_arg_val<uint32_t>(2) != 0;
    const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(3));
    const uint32_t sent = get_semaphore(get_arg_val<uint32_t>(4));
    const uint64_t sender = get_noc_addr(get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(6), ready);
    const uint64_t receivers = get_noc_multicast_addr(get_arg_val<uint32_t>(7), get_arg_val<uint32_t>(8),
                                                      get_arg_val<uint32_t>(9), get_arg_val<uint32_t>(10), 0);
    auto* const ready_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(ready);
    auto* const sent_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(sent);
    const uint32_t block_bytes = block_tiles * get_tile_size(buffer);
    for (uint32_t block = 0; block < num_blocks; ++block) {
        cb_reserve_back(buffer, block_tiles);
        const uint32_t place = get_write_ptr(buffer);
        if (!sends) {
            noc_semaphore_inc(sender, 1);
            noc_semaphore_wait_min(sent_word, block + 1);
        } else {
            read(block, place);
            noc_async_read_barrier();
            if constexpr (num_receivers > 0) {
                noc_semaphore_wait(ready_word, num_receivers * (block + 1));
                noc_async_write_multicast(place, receivers | place, block_bytes, num_receivers);
                noc_semaphore_set(sent_word, block + 1);
                noc_semaphore_set_multicast(sent, receivers | sent, num_receivers);
                noc_async_write_barrier();
            }
        }
        cb_push_back(buffer, block_tiles);
    }
    noc_async_atomic_barrier();
}
