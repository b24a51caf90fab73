#include "dataflow_api.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint64_t owner = get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), source);
    cb_reserve_back(0, 1);
    noc_async_read(owner, get_write_ptr(0), 1024);
    noc_async_read_barrier();
    cb_push_back(0, 1);
#if MENDED
    cb_wait_front(0, 1);
    cb_pop_front(0, 1);
#endif
}
