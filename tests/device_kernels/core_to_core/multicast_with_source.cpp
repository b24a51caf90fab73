// SPDX-License-Identifier: Apache-2.0
// A multicast to a rectangle with this core, which also receives the data.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t source = get_arg_val<uint32_t>(0);
    uint32_t target = get_arg_val<uint32_t>(1);
    uint32_t bytes = get_arg_val<uint32_t>(2);
    uint32_t num_cores = get_arg_val<uint32_t>(3);
    uint64_t rectangle = get_noc_multicast_addr(get_arg_val<uint32_t>(4), get_arg_val<uint32_t>(5),
                                                get_arg_val<uint32_t>(6), get_arg_val<uint32_t>(7), target);
    noc_async_write_multicast_loopback_src(source, rectangle, bytes, num_cores);
    noc_async_write_barrier();
}
