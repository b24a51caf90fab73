#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

void kernel_main() {
    const CoreLocalMem<volatile uint32_t> words(get_arg_val<uint32_t>(0));
    const uint32_t first_x = get_arg_val<uint32_t>(1);
    const uint32_t first_y = get_arg_val<uint32_t>(2);
    const uint32_t last_x = get_arg_val<uint32_t>(3);
    const uint32_t last_y = get_arg_val<uint32_t>(4);
    constexpr uint32_t num_receivers = 2;
    const Noc noc;
    const Semaphore ready(0);
    const Semaphore taken(1);
    for (uint32_t round = 1; round <= 4; ++round) {
        words[0] = round;
        ready.set(round);
        noc.async_write_multicast(words, MulticastEndpoint{}, 1024, num_receivers, {},
                                  {.noc_x_start = first_x,
                                   .noc_y_start = first_y,
                                   .noc_x_end = last_x,
                                   .noc_y_end = last_y,
                                   .addr = words.get_address()},
                                  true);
        ready.set_multicast(noc, first_x, first_y, last_x, last_y, num_receivers);
        noc.async_writes_flushed();
#if MENDED
        taken.wait_min(num_receivers * round);
#endif
    }
    noc.async_write_barrier();
}
