// SPDX-License-Identifier: Apache-2.0
// Reads a packet from another core repeatedly, by stateful calls. Arguments as in UnicastPlan; coordinates in two
// words.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t source_address = get_compile_time_arg_val(2);
    constexpr uint32_t destination_address = get_compile_time_arg_val(3);
    constexpr uint32_t virtual_channel = get_compile_time_arg_val(4);
    const uint32_t responder_x = get_arg_val<uint32_t>(0);
    const uint32_t responder_y = get_arg_val<uint32_t>(1);

    {
        DeviceZoneScopedN("RISCV1");
        noc_async_read_one_packet_set_state<true>(get_noc_addr(responder_x, responder_y, source_address),
                                                  call_size_bytes, virtual_channel);
        for (uint32_t i = 0; i < num_transactions; ++i) {
            noc_async_read_one_packet_with_state(source_address, destination_address);
        }
        noc_async_read_barrier();
    }
}
