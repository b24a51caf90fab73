#include "dataflow_api.h"

// Waits for the flag, and uses the first and the last word of the data behind it.
void kernel_main() {
    const uint32_t data = get_arg_val<uint32_t>(0);
    volatile uint32_t* const sum = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(1));
    constexpr uint32_t data_bytes = 4096;
    noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(0)), 1);
    const volatile uint32_t* const words = reinterpret_cast<volatile uint32_t*>(data);
    *sum = words[0] + words[data_bytes / 4 - 1];
}
