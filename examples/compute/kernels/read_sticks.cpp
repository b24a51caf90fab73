// Reads 32 rows of a matrix, each a page, at a time: as many bytes as a row of tiles.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr uint32_t columns = get_compile_time_arg_val(0);  // tiles of a row
    constexpr auto source_args = TensorAccessorArgs<1>();
    constexpr uint32_t rows_of_tile = 32;
    const uint32_t row_bytes = columns * get_tile_size(0) / rows_of_tile;
    const auto source = TensorAccessor(source_args, get_arg_val<uint32_t>(0), row_bytes);
    const uint32_t begin = get_arg_val<uint32_t>(1);  // rows of tiles
    const uint32_t end = get_arg_val<uint32_t>(2);
    for (uint32_t row = begin; row < end; ++row) {
        cb_reserve_back(0, columns);
        for (uint32_t stick = 0; stick < rows_of_tile; ++stick) {
            noc_async_read_page(row * rows_of_tile + stick, source, get_write_ptr(0) + stick * row_bytes);
        }
        noc_async_read_barrier();
        cb_push_back(0, columns);
    }
}
