#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

void kernel_main() {
    const CoreLocalMem<uint32_t> data(get_arg_val<uint32_t>(0));
    const uint32_t first_x = get_arg_val<uint32_t>(1);
    const uint32_t first_y = get_arg_val<uint32_t>(2);
    const uint32_t last_x = get_arg_val<uint32_t>(3);
    const uint32_t last_y = get_arg_val<uint32_t>(4);
    constexpr uint32_t data_bytes = 4096;
    constexpr uint32_t num_receivers = 2;
    const Noc noc;
    const Semaphore ready(0);
    noc.async_write_multicast(data, MulticastEndpoint{}, data_bytes, num_receivers, {},
                              {.noc_x_start = first_x,
                               .noc_y_start = first_y,
                               .noc_x_end = last_x,
                               .noc_y_end = last_y,
                               .addr = data.get_address()});
#if MENDED
    noc.async_write_barrier();
#endif
    ready.up(noc, first_x, first_y, 1);
    ready.up(noc, last_x, last_y, 1);
    noc.async_write_barrier();
    noc.async_atomic_barrier();
}
