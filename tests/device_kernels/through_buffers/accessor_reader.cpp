// SPDX-License-Identifier: Apache-2.0
// Reads pages of a tensor of any layout into a circular buffer.

#include <cstdint>

#include "accessor/tensor_accessor.h"
#include "dataflow_api.h"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t start_page = get_arg_val<uint32_t>(1);
    const uint32_t num_pages = get_arg_val<uint32_t>(2);
    constexpr uint32_t cb_id = get_compile_time_arg_val(0);
    constexpr uint32_t page_size = get_compile_time_arg_val(1);
    constexpr auto args = TensorAccessorArgs<2>();
    const auto source = TensorAccessor(args, address, page_size);

    for (uint32_t page = start_page; page < start_page + num_pages; ++page) {
        cb_reserve_back(cb_id, 1);
        noc_async_read_page(page, source, get_write_ptr(cb_id));
        noc_async_read_barrier();
        cb_push_back(cb_id, 1);
    }
}
