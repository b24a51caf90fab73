#include "dataflow_api.h"

void kernel_main() {
    const uint64_t count = get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_semaphore(0));
    noc_semaphore_inc(count, 1);
    noc_async_atomic_barrier();
}
