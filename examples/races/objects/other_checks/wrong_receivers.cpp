#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

void kernel_main() {
    const uint32_t first_x = get_arg_val<uint32_t>(0);
    const uint32_t first_y = get_arg_val<uint32_t>(1);
    const uint32_t last_x = get_arg_val<uint32_t>(2);
    const uint32_t last_y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_receivers = MENDED ? 2 : 1;
    const Noc noc;
    const Semaphore ready(0);
    ready.set(1);
    ready.set_multicast(noc, first_x, first_y, last_x, last_y, num_receivers);
    noc.async_write_barrier();
}
