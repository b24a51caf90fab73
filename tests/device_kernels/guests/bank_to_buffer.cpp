// SPDX-License-Identifier: Apache-2.0
// Reads pages from one bank of DRAM into a circular buffer, with the objects that dataflow_api.h alone declares.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t bank = get_arg_val<uint32_t>(0);
    const uint32_t address = get_arg_val<uint32_t>(1);
    const uint32_t num_pages = get_arg_val<uint32_t>(2);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t buffer_id = get_compile_time_arg_val(1);

    experimental::Noc noc;
    experimental::CircularBuffer buffer(buffer_id);
    experimental::AllocatorBank<experimental::AllocatorBankType::DRAM> banks;
    for (uint32_t page = 0; page < num_pages; ++page) {
        buffer.reserve_back(1);
        noc.async_read(banks, buffer, page_bytes, {.bank_id = bank, .addr = address + page * page_bytes}, {});
        noc.async_read_barrier();
        buffer.push_back(1);
    }
}
