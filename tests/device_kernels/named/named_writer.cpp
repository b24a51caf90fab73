// SPDX-License-Identifier: Apache-2.0
// Writes a tensor by its name, each page several times.

#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"
#include "experimental/kernel_args.h"

void kernel_main() {
    const uint32_t num_pages = get_arg(args::num_pages);
    constexpr uint32_t copies = get_arg(args::copies);
    static_assert(copies > 0);

    Noc noc;
    DataflowBuffer output(dfb::input);
    const auto target = TensorAccessor(tensor::target);
    for (uint32_t page = 0; page < num_pages; ++page) {
        output.wait_front(1);
        for (uint32_t copy = 0; copy < copies; ++copy) {
            noc.async_write(output, target, target.get_page_size(), {}, {.page_id = copy * num_pages + page});
        }
        noc.async_writes_flushed();
        output.pop_front(1);
    }
    noc.async_write_barrier();
}
