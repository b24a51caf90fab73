#include "dataflow_api.h"

void kernel_main() {
    const uint32_t block = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint64_t neighbour = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), target);
    constexpr uint32_t block_bytes = 256;
    const uint32_t num_blocks = MENDED ? 1 : get_arg_val<uint32_t>(4);
    for (uint32_t i = 0; i < num_blocks; ++i) {
        noc_async_write(block, neighbour + i * block_bytes, block_bytes);
    }
    noc_async_write_barrier();
}
