// SPDX-License-Identifier: Apache-2.0
// Reads an L1 buffer of another core repeatedly, requesting several virtual channels round-robin. Arguments as in
// UnicastPlan; coordinates in two words.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t source_address = get_compile_time_arg_val(2);
    constexpr uint32_t destination_address = get_compile_time_arg_val(3);
    constexpr uint32_t num_virtual_channels = get_compile_time_arg_val(4);
    const uint32_t responder_x = get_arg_val<uint32_t>(0);
    const uint32_t responder_y = get_arg_val<uint32_t>(1);

    {
        DeviceZoneScopedN("RISCV1");
        const uint64_t source = get_noc_addr(responder_x, responder_y, source_address);
        for (uint32_t i = 0; i < num_transactions; ++i) {
            noc_async_read(source, destination_address, call_size_bytes, noc_index, i % num_virtual_channels);
        }
        noc_async_read_barrier();
    }
}
