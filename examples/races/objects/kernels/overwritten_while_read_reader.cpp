#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

void kernel_main() {
    const CoreLocalMem<volatile uint32_t> words(get_arg_val<uint32_t>(0));
    const uint32_t x = get_arg_val<uint32_t>(1);
    const uint32_t y = get_arg_val<uint32_t>(2);
    const CoreLocalMem<volatile uint32_t> sum(get_arg_val<uint32_t>(3));
    const Noc noc;
    const Semaphore ready(0);
    const Semaphore taken(1);
    for (uint32_t round = 1; round <= 4; ++round) {
        ready.wait_min(round);
        *sum = *sum * 10 + words[0];
        taken.up(noc, x, y, 1);
    }
    noc.async_atomic_barrier();
}
