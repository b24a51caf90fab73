// SPDX-License-Identifier: Apache-2.0
// Writes tiles from a circular buffer into an interleaved tensor.

#include <stdint.h>

#include "dataflow_api.h"

void kernel_main() {
    uint32_t dst_addr = get_arg_val<uint32_t>(0);
    uint32_t num_tiles = get_arg_val<uint32_t>(1);
    uint32_t start_id = get_arg_val<uint32_t>(2);
    constexpr uint32_t cb_id_out = get_compile_time_arg_val(0);
    constexpr bool dst_is_dram = get_compile_time_arg_val(1) == 1;

    const InterleavedAddrGenFast<dst_is_dram> d = {
        .bank_base_address = dst_addr, .page_size = get_tile_size(cb_id_out), .data_format = get_dataformat(cb_id_out)};
    for (uint32_t i = start_id; i < start_id + num_tiles; ++i) {
        cb_wait_front(cb_id_out, 1);
        noc_async_write_tile(i, d, get_read_ptr(cb_id_out));
        noc_async_write_barrier();
        cb_pop_front(cb_id_out, 1);
    }
}
