// SPDX-License-Identifier: Apache-2.0
// Stateful reads of any length: the tile is set once, the size with each call.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t source = get_arg_val<uint32_t>(0);
    uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t rows = get_arg_val<uint32_t>(4);

    noc_async_read_set_state(get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), source));
    // The length grows with each row.
    for (uint32_t row = 1; row <= rows; ++row) {
        const uint32_t bytes = row * 1024;
        noc_async_read_with_state(source, target, bytes);
        source += bytes;
        target += bytes;
    }
    noc_async_read_barrier();
}
