#include "dataflow_api.h"

void kernel_main() {
    volatile uint32_t* const words = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
    const uint64_t ready = get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_semaphore(0));
    volatile uint32_t* const taken = reinterpret_cast<volatile uint32_t*>(get_semaphore(1));
    for (uint32_t round = 1; round <= 4; ++round) {
        words[0] = round;
        noc_semaphore_inc(ready, 1);
#if MENDED
        noc_semaphore_wait_min(taken, round);
#endif
    }
    noc_async_atomic_barrier();
}
