#include "dataflow_api.h"

void kernel_main() {
    const uint32_t scratch = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint64_t neighbour = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), target);
    volatile uint32_t* const words = reinterpret_cast<volatile uint32_t*>(scratch);
    constexpr uint32_t block_bytes = 1024;
    for (uint32_t block = 0; block < 4; ++block) {
        words[0] = block + 1;
        noc_async_write(scratch, neighbour + block * block_bytes, block_bytes);
#if MENDED
        noc_async_writes_flushed();
#else
        noc_async_posted_writes_flushed();
#endif
    }
    noc_async_write_barrier();
}
