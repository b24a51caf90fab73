// SPDX-License-Identifier: Apache-2.0
// Reads from one core after another, by the object API. Arguments as in UnicastPlan; coordinates in two words.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/debug/kernel_profiler.hpp"
#include "kernels/frame/device/call_size.h"
#include "kernels/frame/device/meeting.h"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    const uint32_t call_size_bytes = call_size_of_plan();
    constexpr uint32_t source_address = get_compile_time_arg_val(2);
    constexpr uint32_t destination_address = get_compile_time_arg_val(3);
    constexpr uint32_t virtual_channel = get_compile_time_arg_val(4);
    constexpr uint32_t num_partners = get_compile_time_arg_val(6);

    Noc noc;
    const UnicastEndpoint other;
    const CoreLocalMem<uint32_t> own(destination_address);
    if constexpr (get_compile_time_arg_val(7) != 0) {
        meet(2 * num_partners);
    }
    {
        DeviceZoneScopedN("RISCV1");
        for (uint32_t partner = 0; partner < num_partners; ++partner) {
            const uint32_t x = get_arg_val<uint32_t>(2 * partner);
            const uint32_t y = get_arg_val<uint32_t>(2 * partner + 1);
            for (uint32_t i = 0; i < num_transactions; ++i) {
                noc.async_read(other, own, call_size_bytes, {.noc_x = x, .noc_y = y, .addr = source_address}, {},
                               NocOptVals{.vc = virtual_channel});
            }
        }
        noc.async_read_barrier();
    }
}
