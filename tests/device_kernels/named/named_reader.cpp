// SPDX-License-Identifier: Apache-2.0
// Reads a tensor by its name.

#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"
#include "experimental/kernel_args.h"

void kernel_main() {
    const uint32_t start_page = get_arg(args::start_page);
    const uint32_t num_pages = get_arg(args::num_pages);

    Noc noc;
    DataflowBuffer input(dfb::input);
    const auto source = TensorAccessor(tensor::source);
    for (uint32_t page = start_page; page < start_page + num_pages; ++page) {
        input.reserve_back(1);
        noc.async_read(source, input, input.get_entry_size(), {.page_id = page}, {.offset_bytes = 0});
        noc.async_read_barrier();
        input.push_back(1);
    }
}
