// Copies pages of one tensor to the same pages of another.
#include "dataflow_api.h"

void kernel_main() {
    const uint32_t room = get_arg_val<uint32_t>(0);
    const uint32_t source_address = get_arg_val<uint32_t>(1);
    const uint32_t target_address = get_arg_val<uint32_t>(2);
    const uint32_t num_pages = get_arg_val<uint32_t>(3);
    constexpr auto source_args = TensorAccessorArgs<0>();
    constexpr auto target_args = TensorAccessorArgs<source_args.next_compile_time_args_offset()>();
    constexpr uint32_t page_bytes = 2048;
    const auto source = TensorAccessor(source_args, source_address, page_bytes);
    const auto target = TensorAccessor(target_args, target_address, page_bytes);
    for (uint32_t page = 0; page < num_pages; ++page) {
        noc_async_read_page(page, source, room);
        noc_async_read_barrier();
        noc_async_write_page(page, target, room);
        noc_async_writes_flushed();
    }
    noc_async_write_barrier();
}
