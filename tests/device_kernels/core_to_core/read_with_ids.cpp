// SPDX-License-Identifier: Apache-2.0
// Reads under two transaction ids: while one half of a buffer fills, the other is forwarded.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t halves = get_arg_val<uint32_t>(1);
    const uint32_t target = get_arg_val<uint32_t>(2);
    const uint32_t from_x = get_arg_val<uint32_t>(3);
    const uint32_t from_y = get_arg_val<uint32_t>(4);
    const uint32_t to_x = get_arg_val<uint32_t>(5);
    const uint32_t to_y = get_arg_val<uint32_t>(6);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(1);

    noc_async_read_one_packet_set_state(get_noc_addr(from_x, from_y, source), block_bytes);
    noc_async_read_set_trid(1);
    noc_async_read_one_packet_with_state_with_trid(source, 0, halves, 1);
    for (uint32_t block = 0; block < num_blocks; ++block) {
        const uint32_t id = 1 + block % 2;
        const uint32_t half = halves + (block % 2) * block_bytes;
        if (block + 1 < num_blocks) {
            const uint32_t other_id = 3 - id;
            const uint32_t other_half = halves + ((block + 1) % 2) * block_bytes;
            noc_async_writes_flushed();
            noc_async_read_set_trid(other_id);
            noc_async_read_one_packet_with_state_with_trid(source, (block + 1) * block_bytes, other_half, other_id);
        }
        noc_async_read_barrier_with_trid(id);
        noc_async_write(half, get_noc_addr(to_x, to_y, target + block * block_bytes), block_bytes);
    }
    noc_async_write_barrier();
    noc_async_read_set_trid(0);
}
