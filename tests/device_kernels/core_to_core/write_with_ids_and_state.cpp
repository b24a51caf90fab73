// SPDX-License-Identifier: Apache-2.0
// Stateful writes with transaction ids.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint64_t target_address = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), target);
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);

    noc_async_write_one_packet_with_trid_set_state(target_address);
    for (uint32_t i = 0; i < num_calls; ++i) {
        const uint32_t offset = i * call_bytes;
        noc_async_write_one_packet_with_trid_with_state(source + offset, target + offset, call_bytes, 1 + (i & 7));
    }
    for (uint32_t id = 1; id <= 8; ++id) {
        noc_async_write_barrier_with_trid(id);
    }
    noc_async_write_set_trid(0);
}
