// Sends each block to all receivers, once all of them are ready for it.
#include "dataflow_api.h"

void kernel_main() {
    constexpr uint32_t block_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(1);
    constexpr uint32_t num_receivers = get_compile_time_arg_val(2);
    const uint32_t room = get_arg_val<uint32_t>(0);
    const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(1));
    const uint32_t sent = get_semaphore(get_arg_val<uint32_t>(2));
    const uint64_t receivers = get_noc_multicast_addr(get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4),
                                                      get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(6), 0);
    auto* const ready_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(ready);
    auto* const sent_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(sent);
    for (uint32_t block = 0; block < num_blocks; ++block) {
        noc_semaphore_wait(ready_word, num_receivers * (block + 1));
        const uint32_t place = room + block * block_bytes;
        noc_async_write_multicast(place, receivers | place, block_bytes, num_receivers);
        noc_semaphore_set(sent_word, block + 1);
        noc_semaphore_set_multicast(sent, receivers | sent, num_receivers);
        noc_async_write_barrier();
    }
}
