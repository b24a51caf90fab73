#include "dataflow_api.h"

void kernel_main() {
    const uint32_t first_x = get_arg_val<uint32_t>(0);
    const uint32_t first_y = get_arg_val<uint32_t>(1);
    const uint32_t last_x = get_arg_val<uint32_t>(2);
    const uint32_t last_y = get_arg_val<uint32_t>(3);
    const uint32_t ready = get_semaphore(0);
    volatile uint32_t* const flag = reinterpret_cast<volatile uint32_t*>(ready);
    constexpr uint32_t num_receivers = 2;
    noc_semaphore_set(flag, 1);
    noc_semaphore_set_multicast(ready, get_noc_multicast_addr(first_x, first_y, last_x, last_y, ready), num_receivers);
#if MENDED
    noc_async_writes_flushed();
#endif
    noc_semaphore_set(flag, 0);
    noc_async_write_barrier();
}
