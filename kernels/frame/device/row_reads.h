// SPDX-License-Identifier: Apache-2.0
// Reads of rows of bytes from L1 of other cores or of this core, for operations on sharded tensors. Include after the
// API of device kernels.

#pragma once

/// Reads all rows. Compile-time argument 0: bytes of a row. Runtime arguments: number of rounds, rows between barriers
/// (0: one barrier at the end), number of blocks; for each block: x and y of the source core, address and stride of its
/// rows at the source, address and stride at this core, number of rows.
///
/// With `stateful`, a row must fit into a packet, and the source core is set once per block.
template <bool stateful>
FORCE_INLINE void read_rows() {
    constexpr uint32_t row_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t first_block = 3;
    constexpr uint32_t words_of_block = 7;
    const uint32_t num_rounds = get_arg_val<uint32_t>(0);
    const uint32_t rows_before_barrier = get_arg_val<uint32_t>(1);
    const uint32_t num_blocks = get_arg_val<uint32_t>(2);
    uint32_t rows_until_barrier = rows_before_barrier;
    for (uint32_t round = 0; round < num_rounds; ++round) {
        for (uint32_t block = 0; block < num_blocks; ++block) {
            const uint32_t word = first_block + block * words_of_block;
            uint32_t source = get_arg_val<uint32_t>(word + 2);
            const uint32_t source_stride_bytes = get_arg_val<uint32_t>(word + 3);
            uint32_t target = get_arg_val<uint32_t>(word + 4);
            const uint32_t target_stride_bytes = get_arg_val<uint32_t>(word + 5);
            const uint32_t num_rows = get_arg_val<uint32_t>(word + 6);
            const uint32_t x = get_arg_val<uint32_t>(word);
            const uint32_t y = get_arg_val<uint32_t>(word + 1);
            if constexpr (stateful) {
                noc_async_read_one_packet_set_state(get_noc_addr(x, y, source), row_bytes);
            }
            for (uint32_t row = 0; row < num_rows; ++row) {
                if constexpr (stateful) {
                    noc_async_read_one_packet_with_state(source, target);
                } else {
                    noc_async_read(get_noc_addr(x, y, source), target, row_bytes);
                }
                source += source_stride_bytes;
                target += target_stride_bytes;
                if (--rows_until_barrier == 0) {
                    noc_async_read_barrier();
                    rows_until_barrier = rows_before_barrier;
                }
            }
        }
    }
    noc_async_read_barrier();
}
