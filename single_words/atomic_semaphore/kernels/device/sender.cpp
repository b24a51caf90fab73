// SPDX-License-Identifier: Apache-2.0
// Increments a semaphore of another core, and waits for the answer after each increment. Common runtime argument:
// number of increments. Compile-time arguments from 1 on: increment, id of the semaphore. Runtime arguments:
// coordinates of the other core.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t increment = get_compile_time_arg_val(1);
    const uint64_t semaphore =
        get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_semaphore(get_compile_time_arg_val(2)));

    DeviceZoneScopedN("RISCV0");
    for (uint32_t i = 0; i < num_transactions; ++i) {
        noc_semaphore_inc(semaphore, increment);
        noc_async_atomic_barrier();
    }
}
