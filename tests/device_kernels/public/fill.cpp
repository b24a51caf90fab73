// SPDX-License-Identifier: Apache-2.0
// Reads pages of a tensor into a buffer: reader that accompanies a tried writer.

#include <cstdint>

#include NOCBENCH_TRIED_API

void kernel_main() {
    constexpr uint32_t buffer = get_compile_time_arg_val(0);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(1);
    const auto pages = TensorAccessor(TensorAccessorArgs<2>(), get_arg_val<uint32_t>(0), page_bytes);
    const uint32_t num_pages = get_arg_val<uint32_t>(1);
    for (uint32_t page = 0; page < num_pages; ++page) {
        cb_reserve_back(buffer, 1);
        noc_async_read(pages.get_noc_addr(page), get_write_ptr(buffer), page_bytes);
        noc_async_read_barrier();
        cb_push_back(buffer, 1);
    }
}
