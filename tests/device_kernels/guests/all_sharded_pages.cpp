// SPDX-License-Identifier: Apache-2.0
// Copies all pages of a sharded tensor in their order, and those from the third page on; neither call names an end.

#include "api/dataflow/dataflow_api.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr auto layout = TensorAccessorArgs<1>();
    const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(0), page_bytes);
    uint32_t all = get_arg_val<uint32_t>(1);
    uint32_t rest = get_arg_val<uint32_t>(2);

    for (const auto& page : tensor.pages()) {
        noc_async_read(page.noc_addr(), all, page_bytes);
        all += page_bytes;
    }
    for (const auto& page : tensor.pages(2)) {
        noc_async_read(page.noc_addr(), rest, page_bytes);
        rest += page_bytes;
    }
    noc_async_read_barrier();
}
