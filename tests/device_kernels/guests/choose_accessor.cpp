// SPDX-License-Identifier: Apache-2.0
// Takes even pages from one tensor and odd pages from another: at run time, one accessor stands for either.

#include "dataflow_api.h"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr auto even_layout = TensorAccessorArgs<1>();
    constexpr auto odd_layout = TensorAccessorArgs<even_layout.next_compile_time_args_offset()>();
    const auto even = TensorAccessor(even_layout, get_arg_val<uint32_t>(0), page_bytes);
    const auto odd = TensorAccessor(odd_layout, get_arg_val<uint32_t>(1), page_bytes);
    const uint32_t target = get_arg_val<uint32_t>(2);
    const uint32_t num_pages = get_arg_val<uint32_t>(3);

    for (uint32_t page = 0; page < num_pages; ++page) {
        const auto& tensor = page % 2 == 0 ? even : odd;
        noc_async_read(tensor.get_noc_addr(page), target + page * page_bytes, page_bytes);
    }
    noc_async_read_barrier();
}
