#include "dataflow_api.h"

void kernel_main() {
    const uint32_t target = get_arg_val<uint32_t>(0);
    const uint64_t neighbour = get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), target);
    constexpr uint32_t num_pages = get_compile_time_arg_val(0);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(1);
    for (uint32_t page = 0; page < num_pages; ++page) {
        cb_wait_front(0, 1);
        noc_async_write(get_read_ptr(0), neighbour + page * page_bytes, page_bytes);
#if FLUSHES
        noc_async_writes_flushed();
#endif
        cb_pop_front(0, 1);
    }
    noc_async_write_barrier();
}
