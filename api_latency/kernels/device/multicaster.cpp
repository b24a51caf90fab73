// SPDX-License-Identifier: Apache-2.0
// Multicasts to a rectangle repeatedly, in a zone that includes only the calls' issue. Arguments as in MulticastPlan.

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
    constexpr uint32_t first_x = get_compile_time_arg_val(5);
    constexpr uint32_t first_y = get_compile_time_arg_val(6);
    constexpr uint32_t last_x = get_compile_time_arg_val(7);
    constexpr uint32_t last_y = get_compile_time_arg_val(8);
    constexpr uint32_t num_destinations = get_compile_time_arg_val(9);
    constexpr bool loopback = get_compile_time_arg_val(10) != 0;
    constexpr bool linked = get_compile_time_arg_val(11) != 0;
    constexpr NocOptions options =
        NocOptions::CUSTOM_VC | (loopback ? NocOptions::MCAST_INCL_SRC : NocOptions::DEFAULT);

    Noc noc;
    const MulticastEndpoint other;
    const CoreLocalMem<uint32_t> own(source_address);
    DeviceZoneScopedN("MOVE");
    {
        DeviceZoneScopedN("RISCV0");
        for (uint32_t i = 0; i < num_transactions; ++i) {
            noc.async_write_multicast<options>(own, other, call_size_bytes, num_destinations, {},
                                               {.noc_x_start = first_x,
                                                .noc_y_start = first_y,
                                                .noc_x_end = last_x,
                                                .noc_y_end = last_y,
                                                .addr = destination_address},
                                               linked && i + 1 < num_transactions, NocOptVals{.vc = virtual_channel});
        }
    }
    noc.async_write_barrier();
}
