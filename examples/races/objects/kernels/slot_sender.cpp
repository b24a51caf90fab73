#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

// Fills its part of the data of a consumer, and then tells it.
void kernel_main() {
    const CoreLocalMem<uint32_t> block(get_arg_val<uint32_t>(0));
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t slot = get_arg_val<uint32_t>(2);
    const uint32_t x = get_arg_val<uint32_t>(3);
    const uint32_t y = get_arg_val<uint32_t>(4);
    constexpr uint32_t block_bytes = 1024;
    const Noc noc;
    const Semaphore ready(0);
    noc.async_write(block, UnicastEndpoint{}, block_bytes, {},
                    {.noc_x = x, .noc_y = y, .addr = target + slot * block_bytes});
    noc.async_write_barrier();
    ready.up(noc, x, y, 1);
    noc.async_atomic_barrier();
}
