#include "dataflow_api.h"

void kernel_main() {
    const volatile uint32_t* const weights = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
    const uint32_t address = get_semaphore(0);
    volatile uint32_t* const count = reinterpret_cast<volatile uint32_t*>(address);
    uint32_t share = 0;
#if MENDED
    for (uint32_t i = 0; i < 128; ++i) {
        share += weights[i] & 1;
    }
    noc_semaphore_inc(get_noc_addr(my_x[noc_index], my_y[noc_index], address), share);  // one atomic among others
    noc_async_atomic_barrier();
#else
    const uint32_t before = *count;
    for (uint32_t i = 0; i < 128; ++i) {
        share += weights[i] & 1;
    }
    *count = before + share;
#endif
}
