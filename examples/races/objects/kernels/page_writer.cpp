#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    constexpr uint32_t num_pages = get_compile_time_arg_val(0);
    constexpr uint32_t page_bytes = get_compile_time_arg_val(1);
    constexpr auto layout = TensorAccessorArgs<2>();
    const auto target = TensorAccessor(layout, get_arg_val<uint32_t>(0), page_bytes);
    const Noc noc;
    const CircularBuffer buffer(0);
    for (uint32_t page = 0; page < num_pages; ++page) {
        buffer.wait_front(1);
        noc.async_write(buffer, target, page_bytes, {}, {.page_id = page});
#if FLUSHES
        noc.async_writes_flushed();
#endif
        buffer.pop_front(1);
    }
    noc.async_write_barrier();
}
