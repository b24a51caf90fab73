// Brings blocks of the left matrix to a row of cores.
#include "blocks.h"

void kernel_main() {
    constexpr uint32_t buffer = 0;
    constexpr uint32_t rows = get_compile_time_arg_val(0);       // of a block, in tiles
    constexpr uint32_t inner = get_compile_time_arg_val(1);      // columns of a block
    constexpr uint32_t all_inner = get_compile_time_arg_val(2);  // columns of the matrix
    constexpr uint32_t num_receivers = get_compile_time_arg_val(3);
    constexpr auto left_args = TensorAccessorArgs<4>();
    const auto left = TensorAccessor(left_args, get_arg_val<uint32_t>(0), get_tile_size(buffer));
    const uint32_t first_row = get_arg_val<uint32_t>(1);
    bring_blocks<buffer, rows * inner, num_receivers>(all_inner / inner, [&](uint32_t block, uint32_t place) {
        for (uint32_t row = 0; row < rows; ++row) {
            for (uint32_t column = 0; column < inner; ++column) {
                noc_async_read_page((first_row + row) * all_inner + block * inner + column, left, place);
                place += get_tile_size(buffer);
            }
        }
    });
}
