// Brings blocks of the right matrix to a column of cores, as read_left.cpp does for rows, and writes the result.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr uint32_t buffer = 1;
    constexpr uint32_t result_buffer = 16;
    constexpr uint32_t rows = get_compile_time_arg_val(0);         // of the result of a core, in tiles
    constexpr uint32_t columns = get_compile_time_arg_val(1);      // of the result of a core and of a block
    constexpr uint32_t inner = get_compile_time_arg_val(2);        // rows of a block
    constexpr uint32_t all_inner = get_compile_time_arg_val(3);    // rows of the matrix
    constexpr uint32_t all_columns = get_compile_time_arg_val(4);  // columns of the matrix
    constexpr uint32_t num_receivers = get_compile_time_arg_val(5);
    constexpr uint32_t part_rows = get_compile_time_arg_val(6);  // of the tiles that are packed at a time
    constexpr uint32_t part_columns = get_compile_time_arg_val(7);
    constexpr auto right_args = TensorAccessorArgs<8>();
    constexpr auto result_args = TensorAccessorArgs<right_args.next_compile_time_args_offset()>();
    const auto right = TensorAccessor(right_args, get_arg_val<uint32_t>(0), get_tile_size(buffer));
    const uint32_t first_column = get_arg_val<uint32_t>(1);
    const bool sends = get_arg_val<uint32_t>(2) != 0;
    const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(3));
    const uint32_t sent = get_semaphore(get_arg_val<uint32_t>(4));
    const uint64_t sender = get_noc_addr(get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(6), ready);
    const uint64_t receivers = get_noc_multicast_addr(get_arg_val<uint32_t>(7), get_arg_val<uint32_t>(8),
                                                      get_arg_val<uint32_t>(9), get_arg_val<uint32_t>(10), 0);
    auto* const ready_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(ready);
    auto* const sent_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(sent);
    constexpr uint32_t block_tiles = inner * columns;
    const uint32_t block_bytes = block_tiles * get_tile_size(buffer);
    for (uint32_t block = 0; block < all_inner / inner; ++block) {
        cb_reserve_back(buffer, block_tiles);
        const uint32_t place = get_write_ptr(buffer);
        if (!sends) {
            noc_semaphore_inc(sender, 1);
            noc_semaphore_wait_min(sent_word, block + 1);
        } else {
            uint32_t target = place;
            for (uint32_t row = 0; row < inner; ++row) {
                for (uint32_t column = 0; column < columns; ++column) {
                    noc_async_read_page((block * inner + row) * all_columns + first_column + column, right, target);
                    target += get_tile_size(buffer);
                }
            }
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

    const auto result = TensorAccessor(result_args, get_arg_val<uint32_t>(11), get_tile_size(result_buffer));
    const uint32_t first_row = get_arg_val<uint32_t>(12);
    for (uint32_t row = 0; row < rows; row += part_rows) {
        for (uint32_t column = 0; column < columns; column += part_columns) {
            cb_wait_front(result_buffer, part_rows * part_columns);
            uint32_t place = get_read_ptr(result_buffer);
            for (uint32_t y = row; y < row + part_rows; ++y) {
                for (uint32_t x = column; x < column + part_columns; ++x) {
                    noc_async_write_page((first_row + y) * all_columns + first_column + x, result, place);
                    place += get_tile_size(result_buffer);
                }
            }
            noc_async_writes_flushed();
            cb_pop_front(result_buffer, part_rows * part_columns);
        }
    }
    noc_async_write_barrier();
}
