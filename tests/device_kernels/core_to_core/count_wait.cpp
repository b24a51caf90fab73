// SPDX-License-Identifier: Apache-2.0
// Waits until all parts of a table have arrived, then copies it.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t table = get_arg_val<uint32_t>(0);
    const uint32_t copy = get_arg_val<uint32_t>(1);
    const uint32_t bytes = get_arg_val<uint32_t>(2);
    const uint32_t num_parts = get_arg_val<uint32_t>(3);
    auto* counter = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
    noc_semaphore_wait_min(counter, num_parts);
    noc_async_write(table, get_noc_addr(copy), bytes);
    noc_async_write_barrier();
    noc_semaphore_set(counter, 0);
}
