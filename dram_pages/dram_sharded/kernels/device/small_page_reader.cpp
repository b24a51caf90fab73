// SPDX-License-Identifier: Apache-2.0
// Equals bank_reader.cpp, but sets the state once, with the fewest instructions per page, and reads a last, partial
// round. Its pages are the runtime argument that bank_reader.cpp has as 0.

#include "dataflow_api.h"
#include "kernels/frame/device/meeting.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t stride_bytes = align_power_of_2(page_bytes, DRAM_ALIGNMENT);
    const uint32_t bank = get_arg_val<uint32_t>(0);
    const uint32_t bank_address = get_arg_val<uint32_t>(1);
    const uint32_t num_pages = get_arg_val<uint32_t>(2);
    const uint32_t num_rounds = get_arg_val<uint32_t>(3);
    const uint32_t num_pages_after_rounds = get_arg_val<uint32_t>(4);
    const uint32_t l1_address = get_arg_val<uint32_t>(5);

    meet(6);
    {
        DeviceZoneScopedN("READ");
        const uint64_t bank_start = get_noc_addr_from_bank_id<true>(bank, bank_address);
        noc_async_read_one_packet_set_state(bank_start, page_bytes);
        for (uint32_t round = 0; round <= num_rounds; ++round) {
            const uint32_t end_page = round < num_rounds ? num_pages : num_pages_after_rounds;
            uint32_t source = static_cast<uint32_t>(bank_start);
            uint32_t target = l1_address;
            for (uint32_t page = 0; page < end_page; ++page) {
                noc_async_read_one_packet_with_state(source, target);
                source += stride_bytes;
                target += stride_bytes;
            }
        }
        noc_async_read_barrier();
    }
}
