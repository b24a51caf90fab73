// Waits until a semaphore has all increments, and stores its value for the host.
#include "measured.hpp"

void kernel_main() {
    auto* const semaphore = semaphore_of(get_arg_val<uint32_t>(0));
    auto* const result = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(1));
    {
        TIMED_ZONE();
        noc_semaphore_wait_min(semaphore, count * bytes);
    }
    *result = *semaphore;
    record();
}
