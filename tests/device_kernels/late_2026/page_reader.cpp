// SPDX-License-Identifier: Apache-2.0
// Reads pages into a dataflow buffer, one iteration ahead of the barrier.

#include <cstdint>

#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t num_pages = get_arg_val<uint32_t>(1);
    const uint32_t start_id = get_arg_val<uint32_t>(2);
    constexpr uint32_t dfb_id = get_compile_time_arg_val(0);
    constexpr auto source_args = TensorAccessorArgs<1>();

    Noc noc;
    DataflowBuffer dfb(dfb_id);
    const uint32_t page_bytes = dfb.get_entry_size();
    const auto source = TensorAccessor(source_args, address, page_bytes);
    for (uint32_t page = start_id; page < start_id + num_pages; ++page) {
        dfb.reserve_back(1);
        noc.async_read(source, dfb, page_bytes, {.page_id = page}, {.offset_bytes = 0});
        noc.async_read_barrier();
        dfb.push_back(1);
    }
}
