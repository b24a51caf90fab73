// SPDX-License-Identifier: Apache-2.0
// Tells the threads of compute how many pages come, and then copies them.

#include "ckernel.h"
#include "dataflow_api.h"

void kernel_main() {
    const uint32_t from = get_arg_val<uint32_t>(0);
    const uint32_t to = get_arg_val<uint32_t>(1);
    constexpr uint32_t num_pages = get_compile_time_arg_val(0);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(1);
    ckernel::mailbox_write(ckernel::ThreadId::UnpackThreadId, num_pages);
    ckernel::mailbox_write(ckernel::ThreadId::MathThreadId, num_pages);
    ckernel::mailbox_write(ckernel::ThreadId::PackThreadId, num_pages);
    for (uint32_t page = 0; page < num_pages; ++page) {
        noc_async_write(from + page * page_bytes, get_noc_addr(to + page * page_bytes), page_bytes);
    }
    noc_async_write_barrier();
}
