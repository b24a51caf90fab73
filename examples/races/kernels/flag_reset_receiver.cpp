#include "dataflow_api.h"

void kernel_main() { noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(0)), 1); }
