#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    constexpr uint32_t page_bytes = MENDED ? 1024 : 2048;  // a page of the buffer, or of the tensor
    constexpr auto layout = TensorAccessorArgs<0>();
    const auto source = TensorAccessor(layout, get_arg_val<uint32_t>(0), 2048);
    const Noc noc;
    const CircularBuffer buffer(0);
    buffer.reserve_back(1);
    noc.async_read(source, buffer, page_bytes, {.page_id = 0}, {});
    noc.async_read_barrier();
    buffer.push_back(1);
    buffer.wait_front(1);
    buffer.pop_front(1);
}
