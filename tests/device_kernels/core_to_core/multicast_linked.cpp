// SPDX-License-Identifier: Apache-2.0
// A chain of linked multicasts; the last one is not linked.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint64_t rectangle = get_noc_multicast_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3),
                                                      get_arg_val<uint32_t>(4), get_arg_val<uint32_t>(5), target);
    constexpr uint32_t num_cores = get_compile_time_arg_val(0);
    constexpr uint32_t num_calls = get_compile_time_arg_val(1);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(2);

    for (uint32_t i = 0; i < num_calls - 1; ++i) {
        noc_async_write_multicast(source + i * call_bytes, rectangle + i * call_bytes, call_bytes, num_cores, true);
    }
    const uint32_t last = (num_calls - 1) * call_bytes;
    noc_async_write_multicast(source + last, rectangle + last, call_bytes, num_cores, false);
    noc_async_write_barrier();
}
