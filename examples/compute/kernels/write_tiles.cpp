// Writes the tiles of circular buffer 16 to a matrix.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr auto result_args = TensorAccessorArgs<0>();
    const auto result = TensorAccessor(result_args, get_arg_val<uint32_t>(0), get_tile_size(16));
    const uint32_t begin = get_arg_val<uint32_t>(1);
    const uint32_t end = get_arg_val<uint32_t>(2);
    for (uint32_t tile = begin; tile < end; ++tile) {
        cb_wait_front(16, 1);
        noc_async_write_page(tile, result, get_read_ptr(16));
        noc_async_writes_flushed();
        cb_pop_front(16, 1);
    }
    noc_async_write_barrier();
}
