#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

// Waits for flags, and uses the first and the last word of the data behind them.
void kernel_main() {
    const CoreLocalMem<volatile uint32_t> data(get_arg_val<uint32_t>(0));
    const CoreLocalMem<volatile uint32_t> sum(get_arg_val<uint32_t>(1));
    constexpr uint32_t num_flags = get_compile_time_arg_val(0);
    constexpr uint32_t data_bytes = 4096;
    const Semaphore ready(0);
    ready.wait_min(num_flags);
    *sum = data[0] + data[data_bytes / 4 - 1];
}
