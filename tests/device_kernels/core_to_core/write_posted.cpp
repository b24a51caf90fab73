// SPDX-License-Identifier: Apache-2.0
// Posted writes have no acknowledgements, so the kernel can only wait until they have left.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint64_t target = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(1));
    constexpr uint32_t bytes = get_compile_time_arg_val(0);

    noc_async_write_one_packet<true, true>(source, target, bytes);
    noc_async_write<NOC_MAX_BURST_SIZE + 1, true, true>(source + bytes, target + bytes, bytes);
    noc_async_posted_writes_flushed();
}
