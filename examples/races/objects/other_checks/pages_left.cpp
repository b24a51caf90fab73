#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    constexpr uint32_t page_bytes = 1024;
    constexpr auto layout = TensorAccessorArgs<0>();
    const auto source = TensorAccessor(layout, get_arg_val<uint32_t>(0), page_bytes);
    const Noc noc;
    const CircularBuffer buffer(0);
    buffer.reserve_back(2);
    noc.async_read(source, buffer, page_bytes, {.page_id = 0}, {});
    noc.async_read(source, buffer, page_bytes, {.page_id = 1}, {.offset_bytes = page_bytes});
    noc.async_read_barrier();
    buffer.push_back(2);
    buffer.wait_front(2);
    buffer.pop_front(MENDED ? 2 : 1);
}
