// Brings blocks of the left matrix to a row of cores: the first core reads them and multicasts them to the others.
#include "api/dataflow/dataflow_api.h"

void kernel_main() {
    constexpr uint32_t buffer = 0;
    constexpr uint32_t rows = get_compile_time_arg_val(0);       // of a block, in tiles
    constexpr uint32_t inner = get_compile_time_arg_val(1);      // columns of a block
    constexpr uint32_t all_inner = get_compile_time_arg_val(2);  // columns of the matrix
    constexpr uint32_t num_receivers = get_compile_time_arg_val(3);
    constexpr auto left_args = TensorAccessorArgs<4>();
    const auto left = TensorAccessor(left_args, get_arg_val<uint32_t>(0), get_tile_size(buffer));
    const uint32_t first_row = get_arg_val<uint32_t>(1);
    const bool sends = get_arg_val<uint32_t>(2) != 0;
    const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(3));
    const uint32_t sent = get_semaphore(get_arg_val<uint32_t>(4));
    const uint64_t sender = get_noc_addr(get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(6), ready);
    const uint64_t receivers = get_noc_multicast_addr(get_arg_val<uint32_t>(7), get_arg_val<uint32_t>(8),
                                                      get_arg_val<uint32_t>(9), get_arg_val<uint32_t>(10), 0);
    auto* const ready_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(ready);
    auto* const sent_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(sent);
    constexpr uint32_t block_tiles = rows * inner;
    const uint32_t block_bytes = block_tiles * get_tile_size(buffer);
    for (uint32_t block = 0; block < all_inner / inner; ++block) {
        cb_reserve_back(buffer, block_tiles);
        const uint32_t place = get_write_ptr(buffer);
        if (!sends) {
            noc_semaphore_inc(sender, 1);
            noc_semaphore_wait_min(sent_word, block + 1);
        } else {
            uint32_t target = place;
            for (uint32_t row = 0; row < rows; ++row) {
                for (uint32_t column = 0; column < inner; ++column) {
                    noc_async_read_page((first_row + row) * all_inner + block * inner + column, left, target);
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
}
