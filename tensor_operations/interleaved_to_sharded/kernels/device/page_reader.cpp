// SPDX-License-Identifier: Apache-2.0
// Reads the pages of an interleaved tensor into the core's shard: rows, or tiles of a data format. Arguments as
// described at PageKernel, in kernels/frame/pages/page_transfers.h.

#include "accessor/tensor_accessor.h"
#include "dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t num_pages = get_compile_time_arg_val(3);
    constexpr uint32_t num_rounds = get_compile_time_arg_val(4);
    constexpr uint32_t num_pages_after_rounds = get_compile_time_arg_val(5);
    constexpr auto layout = TensorAccessorArgs<6>();
    const uint32_t tensor_address = get_arg_val<uint32_t>(0);
    const uint32_t shard_address = get_arg_val<uint32_t>(1);

    DeviceZoneScopedN("READ");
    const auto tensor = TensorAccessor(layout, tensor_address, page_bytes);
    for (uint32_t round = 0; round <= num_rounds; ++round) {
        const uint32_t end_page = round < num_rounds ? num_pages : num_pages_after_rounds;
        uint32_t target = shard_address;
        for (uint32_t page = 0; page < end_page; ++page) {
            noc_async_read_page(page, tensor, target);
            target += align_power_of_2(page_bytes, DRAM_ALIGNMENT);
        }
        noc_async_read_barrier();  // the whole shard is passed on at once
    }
}
