#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr uint32_t num_tiles = get_compile_time_arg_val(0);
    constexpr auto args = TensorAccessorArgs<1>();
    const auto target = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(16));
    for (uint32_t tile = 0; tile < num_tiles; ++tile) {
#if AWAITS_TILE
        cb_wait_front(16, 1);
#endif
        noc_async_write_page(tile, target, get_read_ptr(16));
        noc_async_writes_flushed();
        cb_pop_front(16, 1);
    }
    noc_async_write_barrier();
}
