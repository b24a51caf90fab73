// SPDX-License-Identifier: Apache-2.0
// Empties a named buffer; the buffer itself waits for the writes.

#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"
#include "api/tensor/tensor_accessor.h"
#include "experimental/kernel_args.h"

template <dfb::AccessPattern P, dfb::AccessPattern C>
constexpr bool has_pattern(DFBBindingToken<P, C>) {
    return P != dfb::AccessPattern::UNKNOWN || C != dfb::AccessPattern::UNKNOWN;
}

void kernel_main() {
    static_assert(!has_pattern(dfb::rows) && has_pattern(DFBBindingToken<dfb::AccessPattern::STRIDED>{0}));
    Noc noc;
    DataflowBuffer buffer(dfb::rows);
    const auto target = TensorAccessor(tensor::target);
    for (uint32_t page = 0; page < get_arg(args::num_pages); ++page) {
        buffer.wait_front(1);
        noc.async_write(buffer, target, buffer.get_entry_size(), {}, {.page_id = page});
        buffer.write_barrier(noc);
        buffer.pop_front(1);
    }
}
