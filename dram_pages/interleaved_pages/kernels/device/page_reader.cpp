// SPDX-License-Identifier: Apache-2.0
// Reads the pages of an interleaved buffer into L1, in several rounds. Arguments as described at PageKernel, in
// kernels/frame/pages/page_transfers.h.

#include "accessor/tensor_accessor.h"
#include "dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr bool has_writer = get_compile_time_arg_val(1) != 0;
    constexpr uint32_t num_pages = get_compile_time_arg_val(3);
    constexpr uint32_t num_rounds = get_compile_time_arg_val(4);
    constexpr uint32_t num_pages_after_rounds = get_compile_time_arg_val(5);
    constexpr auto layout = TensorAccessorArgs<6>();
    const uint32_t buffer_address = get_arg_val<uint32_t>(0);
    const uint32_t l1_address = get_arg_val<uint32_t>(1);

    constexpr uint32_t stride_bytes = align_power_of_2(page_bytes, DRAM_ALIGNMENT);
    {
        DeviceZoneScopedN("READ");
        // Declared inside the zone, so that the compiler keeps the fields in registers.
        const auto buffer = TensorAccessor(layout, buffer_address, page_bytes);
        for (uint32_t round = 0; round < num_rounds; ++round) {
            uint32_t target = l1_address;
            for (uint32_t page = 0; page < num_pages; ++page) {
                noc_async_read_page(page, buffer, target);
                target += stride_bytes;
            }
        }
        for (uint32_t page = 0; page < num_pages_after_rounds; ++page) {
            noc_async_read_page(page, buffer, l1_address + page * stride_bytes);
        }
        noc_async_read_barrier();
    }
    if constexpr (has_writer) {
        noc_semaphore_set(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0)), 1);
    }
}
