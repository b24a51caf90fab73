// SPDX-License-Identifier: Apache-2.0
// Multicasts an L1 buffer to a rectangle repeatedly, by the object API. Arguments as in MulticastPlan.

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
    const MulticastEndpoint receivers;
    const CoreLocalMem<uint32_t> source(source_address);
    const auto multicast = [&](bool is_linked) {
        noc.async_write_multicast<options>(source, receivers, call_size_bytes, num_destinations, {},
                                           {.noc_x_start = first_x,
                                            .noc_y_start = first_y,
                                            .noc_x_end = last_x,
                                            .noc_y_end = last_y,
                                            .addr = destination_address},
                                           is_linked, NocOptVals{.vc = virtual_channel});
    };

    DeviceZoneScopedN("RISCV0");
    for (uint32_t i = 0; i + 1 < num_transactions; ++i) {
        multicast(linked);
    }
    multicast(false);
    noc.async_write_barrier();
}
