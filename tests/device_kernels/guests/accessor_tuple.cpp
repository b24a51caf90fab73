// SPDX-License-Identifier: Apache-2.0
// Copies the pages of the first tensors of a tuple, one after the other, to the last. Sizes of pages are arguments.

#include <tuple>

#include "dataflow_api.h"

constexpr uint32_t num_tensors = get_compile_time_arg_val(0);
constexpr uint32_t first_page_bytes = 1;
constexpr uint32_t page_bytes = get_compile_time_arg_val(first_page_bytes);
constexpr auto layouts = make_tensor_accessor_args_tuple<num_tensors, first_page_bytes + num_tensors>();

void kernel_main() {
    const uint32_t scratch = get_arg_val<uint32_t>(0);
    const auto tensors = make_tensor_accessor_tuple(layouts, 1, first_page_bytes);
    const auto& target = std::get<num_tensors - 1>(tensors);

    uint32_t next_page = 0;
    const auto append = [&](const auto& tensor, uint32_t num_pages) {
        for (uint32_t page = 0; page < num_pages; ++page) {
            noc_async_read(tensor.get_noc_addr(page), scratch, page_bytes);
            noc_async_read_barrier();
            noc_async_write(scratch, target.get_noc_addr(next_page++), page_bytes);
            noc_async_write_barrier();
        }
    };
    append(std::get<0>(tensors), get_arg_val<uint32_t>(1 + num_tensors));
    append(std::get<1>(tensors), get_arg_val<uint32_t>(2 + num_tensors));
}
