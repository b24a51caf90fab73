// Tells the sender that it is ready for a block, and waits for the block.
#include "dataflow_api.h"

void kernel_main() {
    constexpr uint32_t num_blocks = get_compile_time_arg_val(1);
    const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(0));
    const uint64_t sender = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), ready);
    auto* const sent = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(get_arg_val<uint32_t>(1)));
    for (uint32_t block = 0; block < num_blocks; ++block) {
        noc_semaphore_inc(sender, 1);
        noc_semaphore_wait_min(sent, block + 1);
    }
    noc_async_atomic_barrier();
}
