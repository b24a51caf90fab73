// SPDX-License-Identifier: Apache-2.0
// Reads an L1 buffer of another core repeatedly, by plain or stateful calls of the object API. Arguments as in
// UnicastPlan; coordinates in two words.

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
    const uint32_t responder_x = get_arg_val<uint32_t>(0);
    const uint32_t responder_y = get_arg_val<uint32_t>(1);

    Noc noc;
    const UnicastEndpoint responder;
    const CoreLocalMem<uint32_t> destination(destination_address);
    {
        DeviceZoneScopedN("RISCV1");
        if constexpr (stateful) {
            noc.set_async_read_state(responder, call_size_bytes,
                                     {.noc_x = responder_x, .noc_y = responder_y, .addr = source_address});
        }
        for (uint32_t i = 0; i < num_transactions; ++i) {
            if constexpr (stateful) {
                noc.async_read_with_state(responder, destination, call_size_bytes,
                                          {.noc_x = responder_x, .noc_y = responder_y, .addr = source_address}, {});
            } else {
                noc.async_read(responder, destination, call_size_bytes,
                               {.noc_x = responder_x, .noc_y = responder_y, .addr = source_address}, {},
                               NocOptVals{.vc = virtual_channel});
            }
        }
        noc.async_read_barrier();
    }
}
