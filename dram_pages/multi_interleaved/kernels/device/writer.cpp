// SPDX-License-Identifier: Apache-2.0
// Writes the pages of an interleaved buffer, in several rounds. With a reader on the core, single pages are written
// from a circular buffer, each awaited; otherwise all are written from L1, with a barrier at the end. Arguments as
// described at PageKernel, in kernels/frame/pages/page_transfers.h.

#include "accessor/tensor_accessor.h"
#include "dataflow_api.h"
#include "kernels/frame/device/meeting.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr bool has_reader = get_compile_time_arg_val(1) != 0;
    constexpr uint32_t num_pages = get_compile_time_arg_val(3);
    constexpr uint32_t num_rounds = get_compile_time_arg_val(4);
    constexpr uint32_t num_pages_after_rounds = get_compile_time_arg_val(5);
    constexpr auto layout = TensorAccessorArgs<6>();
    const uint32_t buffer_address = get_arg_val<uint32_t>(0);
    const uint32_t l1_address = get_arg_val<uint32_t>(1);
    const uint32_t first_page = get_arg_val<uint32_t>(2);

    constexpr uint32_t stride_bytes = align_power_of_2(page_bytes, DRAM_ALIGNMENT);
    meet(3);
    {
        DeviceZoneScopedN("WRITE");
        // Declared inside the zone, so that the compiler keeps the fields in registers.
        const auto buffer = TensorAccessor(layout, buffer_address, page_bytes);
        for (uint32_t round = 0; round <= num_rounds; ++round) {
            const uint32_t end_page = round < num_rounds ? num_pages : num_pages_after_rounds;
            for (uint32_t page = 0; page < end_page; ++page) {
                if constexpr (has_reader) {
                    cb_wait_front(0, 1);
                    noc_async_write_page(first_page + page, buffer, get_read_ptr(0));
                    noc_async_write_barrier();
                    cb_pop_front(0, 1);
                } else {
                    noc_async_write_page(first_page + page, buffer, l1_address + page * stride_bytes);
                }
            }
        }
        noc_async_write_barrier();
    }
}
