// SPDX-License-Identifier: Apache-2.0
// Writes an L1 buffer to one core after another, by plain or stateful calls of the object API. Arguments as in
// UnicastPlan; coordinates packed.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t source_address = get_compile_time_arg_val(2);
    constexpr uint32_t destination_address = get_compile_time_arg_val(3);
    constexpr uint32_t virtual_channel = get_compile_time_arg_val(4);
    constexpr bool stateful = get_compile_time_arg_val(5) != 0;
    constexpr uint32_t num_receivers = get_compile_time_arg_val(6);

    Noc noc;
    const UnicastEndpoint other;
    const CoreLocalMem<uint32_t> source(source_address);

    DeviceZoneScopedN("RISCV0");
    for (uint32_t receiver = 0; receiver < num_receivers; ++receiver) {
        const uint32_t packed = get_arg_val<uint32_t>(receiver);
        const uint32_t x = packed >> 16;
        const uint32_t y = packed & 0xffff;
        if constexpr (stateful) {
            noc.set_async_write_state(other, call_size_bytes, {.noc_x = x, .noc_y = y, .addr = destination_address},
                                      NocOptVals{.vc = virtual_channel});
        }
        for (uint32_t i = 0; i < num_transactions; ++i) {
            if constexpr (stateful) {
                noc.async_write_with_state(source, other, call_size_bytes, {},
                                           {.noc_x = x, .noc_y = y, .addr = destination_address});
            } else {
                noc.async_write(source, other, call_size_bytes, {},
                                {.noc_x = x, .noc_y = y, .addr = destination_address},
                                NocOptVals{.vc = virtual_channel});
            }
        }
    }
    noc.async_write_barrier();
}
