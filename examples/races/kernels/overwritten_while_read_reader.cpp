#include "dataflow_api.h"

void kernel_main() {
    const uint32_t words = get_arg_val<uint32_t>(0);
    const uint32_t x = get_arg_val<uint32_t>(1);
    const uint32_t y = get_arg_val<uint32_t>(2);
    const uint32_t copy = get_arg_val<uint32_t>(3);
    uint32_t sum = 0;
    volatile uint32_t* const ready = reinterpret_cast<volatile uint32_t*>(get_semaphore(0));
    for (uint32_t round = 1; round <= 4; ++round) {
        noc_semaphore_wait_min(ready, round);
        noc_async_read(get_noc_addr(x, y, words), copy, 1024);
        noc_async_read_barrier();
        sum = sum * 10 + *reinterpret_cast<volatile uint32_t*>(copy);
        noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(1)), 1);
    }
    *reinterpret_cast<volatile uint32_t*>(copy) = sum;
    noc_async_atomic_barrier();
}
