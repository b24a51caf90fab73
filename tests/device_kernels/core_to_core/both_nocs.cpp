// SPDX-License-Identifier: Apache-2.0
// One RISC that reads on one NoC and writes on the other.

#include "dataflow_api.h"

void kernel_main() {
    constexpr uint8_t read_noc = 1 - noc_index;
    constexpr uint8_t write_noc = noc_index;
    uint32_t source = get_arg_val<uint32_t>(0);
    uint32_t middle = get_arg_val<uint32_t>(1);
    uint32_t target = get_arg_val<uint32_t>(2);
    constexpr uint32_t bytes = get_compile_time_arg_val(0);

    noc_async_read(get_noc_addr(get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4), source, read_noc), middle, bytes,
                   read_noc);
    noc_async_read_barrier(read_noc);
    noc_async_write(middle, get_noc_addr(get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(6), target, write_noc), bytes,
                    write_noc);
    noc_async_write_barrier(write_noc);
}
