// SPDX-License-Identifier: Apache-2.0
// Writes longer than a packet, whose size is a run-time value.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t index = 0;
    const auto source = get_arg_val<uint32_t>(index++);
    const auto target = get_arg_val<uint32_t>(index++);
    const auto noc_x = get_arg_val<uint32_t>(index++);
    const auto noc_y = get_arg_val<uint32_t>(index++);
    const auto bytes = get_arg_val<uint32_t>(index++);

    noc_async_write(source, get_noc_addr(noc_x, noc_y, target), bytes);
    noc_async_writes_flushed();
    noc_async_write_barrier();
}
