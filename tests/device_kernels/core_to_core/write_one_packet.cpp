// SPDX-License-Identifier: Apache-2.0
// Writes a region to another core in calls whose size the compiler knows.

#include <stdint.h>

#include "dataflow_api.h"

void kernel_main() {
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);

    uint32_t source = get_arg_val<uint32_t>(0);
    uint32_t target = get_arg_val<uint32_t>(1);
    uint32_t noc_x = get_arg_val<uint32_t>(2);
    uint32_t noc_y = get_arg_val<uint32_t>(3);

    for (uint32_t i = 0; i < num_calls; i++) {
        uint64_t target_address = get_noc_addr(noc_x, noc_y, target + i * call_bytes);
        noc_async_write(source + i * call_bytes, target_address, call_bytes);
    }
    noc_async_write_barrier();
}
