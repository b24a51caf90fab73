// SPDX-License-Identifier: Apache-2.0
// Writes to one core after another, using several virtual channels round-robin. Arguments as in UnicastPlan;
// coordinates in two words.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"
#include "kernels/frame/device/meeting.h"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t source_address = get_compile_time_arg_val(2);
    constexpr uint32_t destination_address = get_compile_time_arg_val(3);
    constexpr uint32_t num_virtual_channels = get_compile_time_arg_val(4);
    constexpr uint32_t num_partners = get_compile_time_arg_val(6);

    if constexpr (get_compile_time_arg_val(7) != 0) {
        meet(2 * num_partners);
    }
    {
        DeviceZoneScopedN("RISCV0");
        for (uint32_t partner = 0; partner < num_partners; ++partner) {
            const uint32_t x = get_arg_val<uint32_t>(2 * partner);
            const uint32_t y = get_arg_val<uint32_t>(2 * partner + 1);
            const uint64_t other = get_noc_addr(x, y, destination_address);
            for (uint32_t i = 0; i < num_transactions; ++i) {
                noc_async_write(source_address, other, call_size_bytes, noc_index, i % num_virtual_channels);
            }
        }
        noc_async_write_barrier();
    }
}
