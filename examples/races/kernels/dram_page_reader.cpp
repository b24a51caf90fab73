#include "dataflow_api.h"

void kernel_main() {
    const uint32_t copy = get_arg_val<uint32_t>(0);
    constexpr auto layout = TensorAccessorArgs<0>();
    const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(1), 2048);
    noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(0)), 1);
    noc_async_read_page(3, tensor, copy);
    noc_async_read_barrier();
}
