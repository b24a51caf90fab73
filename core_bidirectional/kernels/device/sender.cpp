// SPDX-License-Identifier: Apache-2.0
// Writes to another core. Common runtime argument: number of transactions. Compile-time arguments from 1 on: bytes per
// call, local and remote address, virtual channel.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t source_address = get_compile_time_arg_val(2);
    constexpr uint32_t destination_address = get_compile_time_arg_val(3);
    constexpr uint32_t virtual_channel = get_compile_time_arg_val(4);
    const uint32_t other_x = get_arg_val<uint32_t>(0);
    const uint32_t other_y = get_arg_val<uint32_t>(1);

    DeviceZoneScopedN("RISCV0");
    const uint64_t destination = get_noc_addr(other_x, other_y, destination_address);
    for (uint32_t i = 0; i < num_transactions; ++i) {
        noc_async_write(source_address, destination, call_size_bytes, noc_index, virtual_channel);
    }
    noc_async_write_barrier();
}
