// Fills circular buffer 1 with a tile of ones, by which reductions multiply, and reads tiles into buffer 0.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr auto source_args = TensorAccessorArgs<0>();
    const auto source = TensorAccessor(source_args, get_arg_val<uint32_t>(0), get_tile_size(0));
    const uint32_t begin = get_arg_val<uint32_t>(1);
    const uint32_t end = get_arg_val<uint32_t>(2);
    constexpr uint32_t two_ones = 0x3F803F80;
    cb_reserve_back(1, 1);
    auto* const words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(1));
    for (uint32_t word = 0; word < get_tile_size(1) / sizeof(uint32_t); ++word) {
        words[word] = two_ones;
    }
    cb_push_back(1, 1);
    for (uint32_t tile = begin; tile < end; ++tile) {
        cb_reserve_back(0, 1);
        noc_async_read_page(tile, source, get_write_ptr(0));
        noc_async_read_barrier();
        cb_push_back(0, 1);
    }
}
