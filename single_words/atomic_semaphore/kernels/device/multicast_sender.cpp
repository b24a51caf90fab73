// SPDX-License-Identifier: Apache-2.0
// Increments a semaphore of all other cores of a rectangle by multicast, and waits for the answers after each
// increment. Common runtime argument: number of increments. Compile-time arguments from 1 on: increment, id of the
// semaphore, x and y of the first core and of the last core, number of receivers.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t increment = get_compile_time_arg_val(1);
    constexpr uint32_t virtual_channel = get_compile_time_arg_val(3);
    constexpr uint32_t num_receivers = get_compile_time_arg_val(8);
    const uint64_t semaphores =
        get_noc_multicast_addr(get_compile_time_arg_val(4), get_compile_time_arg_val(5), get_compile_time_arg_val(6),
                               get_compile_time_arg_val(7), get_semaphore(get_compile_time_arg_val(2)));

    DeviceZoneScopedN("RISCV0");
    for (uint32_t i = 0; i < num_transactions; ++i) {
        noc_semaphore_inc_multicast(semaphores, increment, num_receivers, noc_index, virtual_channel);
        noc_async_atomic_barrier();
    }
}
