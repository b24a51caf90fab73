// Copies the pages of its core's shard into a circular buffer.
#include "dataflow_api.h"

void kernel_main() {
    constexpr uint32_t buffer = get_compile_time_arg_val(0);
    const uint32_t shard = get_arg_val<uint32_t>(0);
    const uint32_t num_pages = get_arg_val<uint32_t>(1);
    const uint32_t page_bytes = get_local_cb_interface(buffer).fifo_page_size;
    for (uint32_t page = 0; page < num_pages; ++page) {
        cb_reserve_back(buffer, 1);
        noc_async_read(get_noc_addr(shard + page * page_bytes), get_write_ptr(buffer), page_bytes);
        noc_async_read_barrier();
        cb_push_back(buffer, 1);
    }
}
