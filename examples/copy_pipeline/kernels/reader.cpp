// SPDX-License-Identifier: Apache-2.0
// Reads pages of a tensor into a circular buffer.

#include <cstdint>

#include "accessor/tensor_accessor.h"
#include "dataflow_api.h"
#include "pipeline.h"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t num_pages = get_arg_val<uint32_t>(1);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    const auto source = TensorAccessor(TensorAccessorArgs<1>(), address, page_bytes);

    for (uint32_t page = 0; page < num_pages; ++page) {
        cb_reserve_back(PIPELINE_BUFFER, 1);
        noc_async_read_page(page, source, get_write_ptr(PIPELINE_BUFFER));
        noc_async_read_barrier();
        cb_push_back(PIPELINE_BUFFER, 1);
    }
}
