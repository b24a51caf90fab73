#include "dataflow_api.h"

void kernel_main() {
    const uint32_t data = get_arg_val<uint32_t>(0);
    const uint32_t first_x = get_arg_val<uint32_t>(1);
    const uint32_t first_y = get_arg_val<uint32_t>(2);
    const uint32_t last_x = get_arg_val<uint32_t>(3);
    const uint32_t last_y = get_arg_val<uint32_t>(4);
    const uint32_t ready = get_semaphore(0);
    constexpr uint32_t data_bytes = 4096;
    constexpr uint32_t num_receivers = 2;
    noc_async_write_multicast(data, get_noc_multicast_addr(first_x, first_y, last_x, last_y, data), data_bytes,
                              num_receivers);
#if MENDED
    noc_async_write_barrier();
#endif
#if INLINE_FLAG
    noc_inline_dw_write(get_noc_addr(first_x, first_y, ready), 1);
    noc_inline_dw_write(get_noc_addr(last_x, last_y, ready), 1);
#else
    noc_semaphore_inc(get_noc_addr(first_x, first_y, ready), 1);
    noc_semaphore_inc(get_noc_addr(last_x, last_y, ready), 1);
#endif
    noc_async_write_barrier();
    noc_async_atomic_barrier();
}
