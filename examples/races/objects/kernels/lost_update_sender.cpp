#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

void kernel_main() {
    const uint32_t x = get_arg_val<uint32_t>(0);
    const uint32_t y = get_arg_val<uint32_t>(1);
    constexpr uint32_t num_rounds = get_compile_time_arg_val(0);
    const Noc noc;
    const Semaphore arrived(0);
    for (uint32_t round = 0; round < num_rounds; ++round) {
        arrived.up(noc, x, y, 1);
    }
    noc.async_atomic_barrier();
}
