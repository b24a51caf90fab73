#include "dataflow_api.h"

void kernel_main() {
    const uint32_t data = get_arg_val<uint32_t>(0);
    const uint32_t x = get_arg_val<uint32_t>(1);
    const uint32_t y = get_arg_val<uint32_t>(2);
    const uint32_t ready = get_semaphore(0);
    constexpr uint32_t data_bytes = 4096;
    noc_async_write(data, get_noc_addr(x, y, data), data_bytes);
#if MENDED
    noc_async_write_barrier();
#endif
    noc_semaphore_inc(get_noc_addr(x, y, ready, 1 - noc_index), 1, 1 - noc_index);
    noc_async_write_barrier();
    noc_async_atomic_barrier(1 - noc_index);
}
