// SPDX-License-Identifier: Apache-2.0
// Waits until a semaphore of this core has its final value. Common runtime argument: the value. Compile-time argument
// 1: id of the semaphore.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    volatile tt_l1_ptr uint32_t* const semaphore =
        reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(get_compile_time_arg_val(1)));
    const uint32_t last = get_common_arg_val<uint32_t>(0);

    DeviceZoneScopedN("RISCV1");
    noc_semaphore_wait_min(semaphore, last);
}
