#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"

void kernel_main() {
    const CoreLocalMem<volatile uint32_t> page(get_arg_val<uint32_t>(0));
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t x = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    constexpr uint32_t page_bytes = 8192;
    const Noc noc;
    const UnicastEndpoint neighbour;
    noc.async_write(page, neighbour, page_bytes, {}, {.noc_x = x, .noc_y = y, .addr = target});
    noc.async_write(page, neighbour, page_bytes, {}, {.noc_x = x, .noc_y = y, .addr = target + page_bytes});
#if MENDED
    noc.async_writes_flushed();
#endif
    page[page_bytes / 4 - 1] = 0;  // the second write waits in the NIU
    noc.async_write_barrier();
}
