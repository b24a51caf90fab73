// SPDX-License-Identifier: Apache-2.0
// Reads a region of another core in calls whose size the compiler knows.

#include <stdint.h>

#include "dataflow_api.h"

void kernel_main() {
    uint32_t source = get_arg_val<uint32_t>(0);
    uint32_t target = get_arg_val<uint32_t>(1);
    uint32_t noc_x = get_arg_val<uint32_t>(2);
    uint32_t noc_y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);

    uint64_t source_address = get_noc_addr(noc_x, noc_y, source);
    for (uint32_t i = 0; i < num_calls; i++) {
        noc_async_read(source_address, target, call_bytes);
        source_address += call_bytes;
        target += call_bytes;
    }
    noc_async_read_barrier();
}
