#include "dataflow_api.h"

void kernel_main() {
    const uint32_t address = get_semaphore(0);
    volatile uint32_t* const count = reinterpret_cast<volatile uint32_t*>(address);
#if MENDED
    noc_semaphore_inc(get_noc_addr(my_x[noc_index], my_y[noc_index], address), 1);  // one atomic among others
    noc_async_atomic_barrier();
#else
    *count = *count + 1;
#endif
    noc_semaphore_wait(count, 2);
}
