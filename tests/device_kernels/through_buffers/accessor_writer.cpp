// SPDX-License-Identifier: Apache-2.0
// Writes pages from a circular buffer into a tensor of any layout.

#include <cstdint>

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t start_page = get_arg_val<uint32_t>(1);
    const uint32_t num_pages = get_arg_val<uint32_t>(2);
    constexpr uint32_t cb_id = get_compile_time_arg_val(0);
    constexpr uint32_t page_size = get_compile_time_arg_val(1);
    constexpr auto args = TensorAccessorArgs<2>();
    const auto target = TensorAccessor(args, address, page_size);

    for (uint32_t page = start_page; page < start_page + num_pages; ++page) {
        cb_wait_front(cb_id, 1);
        const uint32_t l1 = get_read_ptr(cb_id);
        noc_async_write_page(page, target, l1);
        noc_async_writes_flushed();
        cb_pop_front(cb_id, 1);
    }
    noc_async_write_barrier();
}
