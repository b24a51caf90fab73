#include "dataflow_api.h"

void kernel_main() {
    volatile uint32_t* const ready = reinterpret_cast<volatile uint32_t*>(get_semaphore(0));
    noc_semaphore_wait(ready, 1);
}
