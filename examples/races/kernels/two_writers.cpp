#include "dataflow_api.h"

void kernel_main() {
    const uint32_t block = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t slot = get_arg_val<uint32_t>(2);
    constexpr uint32_t block_bytes = 512;
#if MENDED
    constexpr uint32_t stride = block_bytes;
#else
    constexpr uint32_t stride = block_bytes - 32;  // the end of each block is the beginning of the next one
#endif
    const uint64_t owner = get_noc_addr(get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4), target + slot * stride);
    noc_async_write(block, owner, block_bytes);
    noc_async_write_barrier();
}
