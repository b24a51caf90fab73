// SPDX-License-Identifier: Apache-2.0
// Counts the values of four bits in a page of a tensor, in a scratchpad, and writes the counts to a page of another
// tensor.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"
#include "api/dataflow/noc.h"
#include "api/scratchpad.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr auto source_args = TensorAccessorArgs<1>();
    constexpr auto target_args = TensorAccessorArgs<source_args.next_compile_time_args_offset()>();
    const auto source = TensorAccessor(source_args, get_arg_val<uint32_t>(0), page_bytes);
    const auto target = TensorAccessor(target_args, get_arg_val<uint32_t>(1), 64);

    Noc noc;
    DataflowBuffer page(0);
    Scratchpad<uint32_t> counts(1);
    for (uint32_t i = 0; i < 16; ++i) {
        counts[i] = 0;
    }
    page.reserve_back(1);
    noc.async_read(source, page, page_bytes, {.page_id = 0}, {});
    noc.async_read_barrier();
    page.push_back(1);
    page.wait_front(1);
    {
        auto lock = page.scoped_lock();
        CoreLocalMem<uint32_t> words(page.get_read_ptr());
        for (uint32_t i = 0; i < page_bytes / 4; ++i) {
            counts[words[i] & 0xF] = counts[words[i] & 0xF] + 1;
        }
    }
    page.pop_front(1);
    noc.async_write(counts, target, 64, {}, {.page_id = 0});
    noc.async_write_barrier();
}
