// SPDX-License-Identifier: Apache-2.0
// Reads pages of tensors into buffers: reader that accompanies a tried writer or compute kernel.

#include <cstdint>

#include NOCBENCH_TRIED_API

// Run-time arguments: number of buffers; for each its id, size of a page, and address and pages of the tensor.
void kernel_main() {
    const uint32_t num_buffers = get_arg_val<uint32_t>(0);
    for (uint32_t i = 0; i < num_buffers; ++i) {
        const uint32_t buffer = get_arg_val<uint32_t>(1 + 4 * i);
        const uint32_t page_bytes = get_arg_val<uint32_t>(2 + 4 * i);
        const auto pages = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(3 + 4 * i), page_bytes);
        const uint32_t num_pages = get_arg_val<uint32_t>(4 + 4 * i);
        for (uint32_t page = 0; page < num_pages; ++page) {
            cb_reserve_back(buffer, 1);
            noc_async_read(pages.get_noc_addr(page), get_write_ptr(buffer), page_bytes);
            noc_async_read_barrier();
            cb_push_back(buffer, 1);
        }
    }
}
