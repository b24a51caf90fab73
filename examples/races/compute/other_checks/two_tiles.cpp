#include "api/dataflow/dataflow_api.h"

// Passes on the first tiles of two circular buffers, and takes two tiles from a third one.
void kernel_main() {
    for (uint32_t buffer = 0; buffer < 2; ++buffer) {
        cb_reserve_back(buffer, 1);
        cb_push_back(buffer, 1);
    }
    cb_wait_front(16, 2);
    cb_pop_front(16, 2);
}
