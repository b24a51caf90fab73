// SPDX-License-Identifier: Apache-2.0
// Stateful reads of one packet, all counted before the barrier.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t source = get_arg_val<uint32_t>(0);
    uint32_t target = get_arg_val<uint32_t>(1);
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);

    noc_async_read_one_packet_set_state(get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), source),
                                        call_bytes);
    for (uint32_t i = 0; i < num_calls; i++) {
        noc_async_read_one_packet_with_state<false>(source, target);
        source += call_bytes;
        target += call_bytes;
    }
    noc_async_read_inc_num_issued(num_calls);
    noc_async_read_barrier();
}
