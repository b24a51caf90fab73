// Increments a semaphore of another core, and waits for each acknowledgement.
#include "measured.hpp"

void kernel_main() {
    const uint64_t semaphore =
        get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_semaphore(get_arg_val<uint32_t>(0)));
    {
        TIMED_ZONE();
        for (uint32_t i = 0; i < count; ++i) {
            noc_semaphore_inc(semaphore, bytes);
            noc_async_atomic_barrier();
        }
    }
    record();
}
