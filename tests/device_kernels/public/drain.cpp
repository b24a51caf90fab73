// SPDX-License-Identifier: Apache-2.0
// Writes pages of a buffer into a tensor: writer that accompanies a tried reader.

#include <cstdint>

#include NOCBENCH_TRIED_API

void kernel_main() {
    constexpr uint32_t buffer = get_compile_time_arg_val(0);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(1);
    const auto pages = TensorAccessor(TensorAccessorArgs<2>(), get_arg_val<uint32_t>(0), page_bytes);
    const uint32_t num_pages = get_arg_val<uint32_t>(1);
    for (uint32_t page = 0; page < num_pages; ++page) {
        cb_wait_front(buffer, 1);
        noc_async_write(get_read_ptr(buffer), pages.get_noc_addr(page), page_bytes);
        noc_async_write_barrier();
        cb_pop_front(buffer, 1);
    }
}
