#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr uint32_t num_tiles = get_compile_time_arg_val(0);
    constexpr auto args = TensorAccessorArgs<1>();
    const auto source = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(0));
    for (uint32_t tile = 0; tile < num_tiles; ++tile) {
#if RESERVES
        cb_reserve_back(0, 1);
#endif
        noc_async_read_page(tile, source, get_write_ptr(0));
#if AWAITS_READ
        noc_async_read_barrier();
#endif
        cb_push_back(0, 1);
    }
    noc_async_read_barrier();
}
