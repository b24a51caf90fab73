#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint64_t owner = get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), source);
    constexpr uint32_t page_bytes = 1024;
    constexpr uint32_t num_pages = MENDED ? 1 : 2;
    cb_reserve_back(0, 1);
    noc_async_read(owner, get_write_ptr(0), num_pages * page_bytes);  // the buffer has one page
    noc_async_read_barrier();
    cb_push_back(0, 1);
    cb_wait_front(0, 1);
    cb_pop_front(0, 1);
}
