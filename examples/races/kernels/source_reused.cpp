#include "dataflow_api.h"

void kernel_main() {
    const uint32_t page = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint64_t neighbour = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), target);
    constexpr uint32_t page_bytes = 8192;
    noc_async_write(page, neighbour, page_bytes);
#if MENDED
    noc_async_writes_flushed();
#endif
    reinterpret_cast<volatile uint32_t*>(page)[page_bytes / 4 - 1] = 0;  // marks the page as free
    noc_async_write_barrier();
}
