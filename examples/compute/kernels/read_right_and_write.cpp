// Brings blocks of the right matrix to a column of cores, and writes the result.
#include "blocks.h"

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
    bring_blocks<buffer, inner * columns, num_receivers>(all_inner / inner, [&](uint32_t block, uint32_t place) {
        for (uint32_t row = 0; row < inner; ++row) {
            for (uint32_t column = 0; column < columns; ++column) {
                noc_async_read_page((block * inner + row) * all_columns + first_column + column, right, place);
                place += get_tile_size(buffer);
            }
        }
    });

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
