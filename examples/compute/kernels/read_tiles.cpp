// Reads tiles of up to two matrices into circular buffers 0 and 1.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr uint32_t num_matrices = get_compile_time_arg_val(0);
    constexpr auto first_args = TensorAccessorArgs<1>();
    constexpr auto second_args = TensorAccessorArgs<first_args.next_compile_time_args_offset()>();
    const uint32_t begin = get_arg_val<uint32_t>(2);
    const uint32_t end = get_arg_val<uint32_t>(3);
    const auto first = TensorAccessor(first_args, get_arg_val<uint32_t>(0), get_tile_size(0));
    const auto second = TensorAccessor(second_args, get_arg_val<uint32_t>(1), get_tile_size(0));
    for (uint32_t tile = begin; tile < end; ++tile) {
        cb_reserve_back(0, 1);
        noc_async_read_page(tile, first, get_write_ptr(0));
        if constexpr (num_matrices == 2) {
            cb_reserve_back(1, 1);
            noc_async_read_page(tile, second, get_write_ptr(1));
        }
        noc_async_read_barrier();
        cb_push_back(0, 1);
        if constexpr (num_matrices == 2) {
            cb_push_back(1, 1);
        }
    }
}
