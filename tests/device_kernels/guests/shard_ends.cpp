// SPDX-License-Identifier: Apache-2.0
// Exchanges halves of this core's shard: the first half is read from the other shard, and the second is written to it.

#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"
#include "api/tensor/tensor_accessor.h"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr auto layout = TensorAccessorArgs<1>();
    const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(0), page_bytes);
    const uint32_t own = get_arg_val<uint32_t>(1);
    const uint32_t other = get_arg_val<uint32_t>(2);

    Noc noc;
    const ShardView shards(tensor);
    ASSERT(shards.is_local_shard(own));
    noc.async_read(shards, shards, page_bytes, {.shard_id = other}, {.shard_id = own});
    noc.async_read_barrier();
    noc.async_write(shards, shards, page_bytes, {.shard_id = own, .offset_bytes = page_bytes},
                    {.shard_id = other, .offset_bytes = page_bytes});
    noc.async_write_barrier();
}
