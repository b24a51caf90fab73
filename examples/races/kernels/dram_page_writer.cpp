#include "dataflow_api.h"

void kernel_main() {
    const uint32_t page = get_arg_val<uint32_t>(0);
    const uint64_t ready = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), get_semaphore(0));
    constexpr auto layout = TensorAccessorArgs<0>();
    const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(1), 2048);
    noc_async_write_page(3, tensor, page);
#if MENDED
    noc_async_write_barrier();
#endif
    noc_semaphore_inc(ready, 1);
    noc_async_write_barrier();
    noc_async_atomic_barrier();
}
