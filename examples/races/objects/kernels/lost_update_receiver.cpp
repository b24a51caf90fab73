#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

void kernel_main() {
    constexpr uint32_t num_rounds = get_compile_time_arg_val(0);
    const Semaphore arrived(0);
    for (uint32_t round = 1; round <= num_rounds; ++round) {
#if MENDED
        arrived.wait_min(round);
#else
        arrived.down(1);  // subtracts by a load and a store
#endif
    }
}
