// SPDX-License-Identifier: Apache-2.0
// Fills a named buffer by a function that takes any token of a buffer.

#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"
#include "api/tensor/tensor_accessor.h"
#include "experimental/kernel_args.h"

template <dfb::AccessPattern P, dfb::AccessPattern C, typename Source>
void fill(DFBBindingToken<P, C> token, const Source& source, uint32_t num_pages) {
    Noc noc;
    DataflowBuffer buffer(token);
    for (uint32_t page = 0; page < num_pages; ++page) {
        buffer.reserve_back(1);
        noc.async_read(source, buffer, buffer.get_entry_size(), {.page_id = page}, {});
        noc.async_read_barrier();
        buffer.push_back(1);
    }
    buffer.finish();
}

void kernel_main() { fill(dfb::rows, TensorAccessor(tensor::source), get_arg(args::num_pages)); }
