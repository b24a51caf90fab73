// SPDX-License-Identifier: Apache-2.0
// Reads from one core after another, by plain calls of the object API on one or more virtual channels round-robin, or
// by stateful calls. Arguments as in UnicastPlan; coordinates packed.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/debug/kernel_profiler.hpp"
#include "kernels/frame/device/call_size.h"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    const uint32_t call_size_bytes = call_size_of_plan();
    constexpr uint32_t source_address = get_compile_time_arg_val(2);
    constexpr uint32_t destination_address = get_compile_time_arg_val(3);
    constexpr uint32_t num_virtual_channels = get_compile_time_arg_val(4);
    constexpr bool stateful = get_compile_time_arg_val(5) != 0;
    constexpr uint32_t num_responders = get_compile_time_arg_val(6);

    Noc noc;
    const UnicastEndpoint responder;
    const CoreLocalMem<uint32_t> own(destination_address);

    DeviceZoneScopedN("RISCV1");
    for (uint32_t index = 0; index < num_responders; ++index) {
        const uint32_t packed = get_arg_val<uint32_t>(index);
        const uint32_t x = packed >> 16;
        const uint32_t y = packed & 0xffff;
        if constexpr (stateful) {
            noc.set_async_read_state(responder, call_size_bytes, {.noc_x = x, .noc_y = y, .addr = source_address});
        }
        for (uint32_t i = 0; i < num_transactions; ++i) {
            if constexpr (stateful) {
                noc.async_read_with_state(responder, own, call_size_bytes,
                                          {.noc_x = x, .noc_y = y, .addr = source_address}, {});
            } else {
                noc.async_read<NocOptions::CUSTOM_VC>(responder, own, call_size_bytes,
                                                      {.noc_x = x, .noc_y = y, .addr = source_address}, {},
                                                      NocOptVals{.vc = i % num_virtual_channels});
            }
        }
    }
    noc.async_read_barrier();
}
