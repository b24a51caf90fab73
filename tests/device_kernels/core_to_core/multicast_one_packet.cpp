// SPDX-License-Identifier: Apache-2.0
// Multicasts of one packet to a rectangle without this core.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t source = get_arg_val<uint32_t>(0);
    uint32_t target = get_arg_val<uint32_t>(1);
    uint32_t x_start = get_arg_val<uint32_t>(2);
    uint32_t y_start = get_arg_val<uint32_t>(3);
    uint32_t x_end = get_arg_val<uint32_t>(4);
    uint32_t y_end = get_arg_val<uint32_t>(5);
    constexpr uint32_t num_cores = get_compile_time_arg_val(0);
    constexpr uint32_t num_calls = get_compile_time_arg_val(1);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(2);

    uint64_t rectangle = get_noc_multicast_addr(x_start, y_start, x_end, y_end, target);
    for (uint32_t i = 0; i < num_calls; ++i) {
        noc_async_write_multicast_one_packet(source + i * call_bytes, rectangle + i * call_bytes, call_bytes,
                                             num_cores);
    }
    noc_async_write_barrier();
}
