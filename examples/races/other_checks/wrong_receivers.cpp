#include "dataflow_api.h"

void kernel_main() {
    const uint32_t data = get_arg_val<uint32_t>(0);
    const uint32_t first_x = get_arg_val<uint32_t>(1);
    const uint32_t first_y = get_arg_val<uint32_t>(2);
    const uint32_t last_x = get_arg_val<uint32_t>(3);
    const uint32_t last_y = get_arg_val<uint32_t>(4);
    constexpr uint32_t num_receivers = MENDED ? 2 : 1;
    noc_async_write_multicast(data, get_noc_multicast_addr(first_x, first_y, last_x, last_y, data), 1024,
                              num_receivers);
    noc_async_write_barrier();
}
