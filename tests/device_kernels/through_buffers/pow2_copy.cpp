// SPDX-License-Identifier: Apache-2.0
// Copies pages whose size is a power of two on one RISC, without an intermediate buffer.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source_address = get_arg_val<uint32_t>(0);
    const uint32_t target_address = get_arg_val<uint32_t>(1);
    const uint32_t middle = get_arg_val<uint32_t>(2);
    const uint32_t num_pages = get_arg_val<uint32_t>(3);
    constexpr uint32_t log_page_bytes = get_compile_time_arg_val(0);

    const InterleavedPow2AddrGenFast<true> source = {.bank_base_address = source_address,
                                                     .log_base_2_of_page_size = log_page_bytes};
    const InterleavedPow2AddrGen<true> target = {.bank_base_address = target_address,
                                                 .log_base_2_of_page_size = log_page_bytes};
    for (uint32_t page = 0; page < num_pages; ++page) {
        noc_async_read_page(page, source, middle);
        noc_async_read_barrier();
        noc_async_write_page(page, target, middle);
        noc_async_write_barrier();
    }
}
