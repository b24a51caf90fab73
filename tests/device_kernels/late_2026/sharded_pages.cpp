// SPDX-License-Identifier: Apache-2.0
// Iterates over all pages of a sharded tensor, and then over the pages of one shard.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr auto source_args = TensorAccessorArgs<1>();
    const auto source = TensorAccessor(source_args, get_arg_val<uint32_t>(0), page_bytes);
    CoreLocalMem<uint32_t> all(get_arg_val<uint32_t>(1));
    const uint32_t shard_copy = get_arg_val<uint32_t>(2);
    const uint32_t num_pages = get_arg_val<uint32_t>(3);

    Noc noc;
    uint32_t offset = 0;
    for (const auto& page : source.pages(0, num_pages)) {
        noc.async_read(page, all, page_bytes, {}, {.offset_bytes = offset});
        offset += page_bytes;
    }
    if constexpr (source_args.is_sharded) {
        noc_async_read_shard(1, source, shard_copy);
    }
    noc.async_read_barrier();
}
