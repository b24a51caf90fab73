#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint64_t owner = get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), source);
    constexpr uint32_t num_pages = get_compile_time_arg_val(0);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(1);
    for (uint32_t page = 0; page < num_pages; ++page) {
        cb_reserve_back(0, 1);
        noc_async_read(owner + page * page_bytes, get_write_ptr(0), page_bytes);
#if AWAITS_READ
        noc_async_read_barrier();
#endif
        cb_push_back(0, 1);
    }
    noc_async_read_barrier();
}
