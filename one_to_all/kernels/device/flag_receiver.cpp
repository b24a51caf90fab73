// SPDX-License-Identifier: Apache-2.0
// Repeatedly signals the sender that it is ready, and waits for the sender's flag. Common runtime argument: number of
// transactions. Compile-time arguments from 1 on: ids of the semaphore that counts ready cores and of the flag. Runtime
// arguments: coordinates of the sender.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    const uint64_t ready =
        get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_semaphore(get_compile_time_arg_val(1)));
    volatile tt_l1_ptr uint32_t* const flag =
        reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(get_compile_time_arg_val(2)));

    {
        DeviceZoneScopedN("RISCV1");
        for (uint32_t i = 0; i < num_transactions; ++i) {
            noc_semaphore_set(flag, 0);
            noc_semaphore_inc(ready, 1);
            noc_semaphore_wait(flag, 1);
        }
        noc_async_atomic_barrier();
    }
}
