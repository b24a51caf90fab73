// SPDX-License-Identifier: Apache-2.0
// Reads from one core after another, using several virtual channels round-robin. Arguments as in UnicastPlan;
// coordinates packed.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t source_address = get_compile_time_arg_val(2);
    constexpr uint32_t destination_address = get_compile_time_arg_val(3);
    constexpr uint32_t num_virtual_channels = get_compile_time_arg_val(4);
    constexpr uint32_t num_responders = get_compile_time_arg_val(6);

    DeviceZoneScopedN("RISCV1");
    for (uint32_t responder = 0; responder < num_responders; ++responder) {
        const uint32_t packed = get_arg_val<uint32_t>(responder);
        const uint64_t source = get_noc_addr(packed >> 16, packed & 0xffff, source_address);
        for (uint32_t i = 0; i < num_transactions; ++i) {
            noc_async_read(source, destination_address, call_size_bytes, noc_index, i % num_virtual_channels);
        }
    }
    noc_async_read_barrier();
}
