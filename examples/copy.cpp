// SPDX-License-Identifier: Apache-2.0
#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t x = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_pages = get_compile_time_arg_val(0);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(1);
    for (uint32_t i = 0; i < num_pages; ++i) {
        noc_async_write(source + i * page_bytes, get_noc_addr(x, y, target + i * page_bytes), page_bytes);
    }
    noc_async_write_barrier();
}
