#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

void kernel_main() {
    const CoreLocalMem<uint32_t> data(get_arg_val<uint32_t>(0));
    const uint32_t x = get_arg_val<uint32_t>(1);
    const uint32_t y = get_arg_val<uint32_t>(2);
    constexpr uint32_t data_bytes = 4096;
    const Noc noc;
    const Noc other_noc(1 - noc_index);
    const Semaphore ready(0);
    noc.async_write(data, UnicastEndpoint{}, data_bytes, {}, {.noc_x = x, .noc_y = y, .addr = data.get_address()});
#if MENDED
    noc.async_write_barrier();
#endif
    ready.up(other_noc, x, y, 1);
    noc.async_write_barrier();
    other_noc.async_atomic_barrier();
}
