#include "dataflow_api.h"

void kernel_main() {
    const uint32_t block = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint64_t neighbour = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), target);
    volatile uint32_t* const words = reinterpret_cast<volatile uint32_t*>(block);
    constexpr uint32_t num_words = MENDED ? 64 : 60;
    for (uint32_t i = 0; i < num_words; ++i) {
        words[i] = i;
    }
    noc_async_write(block, neighbour, 256);
    noc_async_write_barrier();
}
