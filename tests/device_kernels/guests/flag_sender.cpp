// SPDX-License-Identifier: Apache-2.0
// Multicasts a block, then a flag that is an immediate word.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t block = get_arg_val<uint32_t>(0);
    const uint32_t flag = get_arg_val<uint32_t>(1);
    const uint32_t x_start = get_arg_val<uint32_t>(2);
    const uint32_t y_start = get_arg_val<uint32_t>(3);
    const uint32_t x_end = get_arg_val<uint32_t>(4);
    const uint32_t y_end = get_arg_val<uint32_t>(5);
    constexpr uint32_t block_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t num_receivers = get_compile_time_arg_val(1);
    constexpr uint32_t word = get_compile_time_arg_val(2);

    noc_async_write_multicast(block, get_noc_multicast_addr(x_start, y_start, x_end, y_end, block), block_bytes,
                              num_receivers);
    noc_async_write_barrier();
    noc_inline_mcast_dw_write(get_noc_multicast_addr(x_start, y_start, x_end, y_end, flag), word, 0xF, noc_index,
                              NOC_MULTICAST_WRITE_VC, 0, num_receivers);
    noc_async_write_barrier();
}
