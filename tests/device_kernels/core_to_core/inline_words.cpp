// SPDX-License-Identifier: Apache-2.0
// Writes words from registers into the L1 of another core.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t target = get_arg_val<uint32_t>(0);
    uint32_t noc_x = get_arg_val<uint32_t>(1);
    uint32_t noc_y = get_arg_val<uint32_t>(2);
    uint32_t count = get_arg_val<uint32_t>(3);

    for (uint32_t i = 0; i < count; ++i) {
        noc_inline_dw_write(get_noc_addr(noc_x, noc_y, target + 4 * i), 100 + i);
    }
    noc_async_write_barrier();
}
