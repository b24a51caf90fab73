// SPDX-License-Identifier: Apache-2.0
// Passes checkpoints and checks of addresses, which are off, while it reads.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/checkpoint.h"
#include "internal/debug/sanitize.h"

void kernel_main() {
    const uint32_t from = get_arg_val<uint32_t>(0);
    const uint32_t to = get_arg_val<uint32_t>(1);
    const uint32_t num_bytes = get_arg_val<uint32_t>(2);
    WAYPOINT("GST");
    DEBUG_CHECKPOINT("begin");
    const uint64_t source = get_noc_addr(from);
    DEBUG_SANITIZE_NOC_READ_TRANSACTION(noc_index, source, to, num_bytes);
    for (uint32_t offset = 0; offset < num_bytes; offset += 32) {
        noc_async_read(source + offset, to + offset, 32);
    }
    noc_async_read_barrier();
    DEBUG_CHECKPOINT_EX("end", 0, 0, nullptr);
}
