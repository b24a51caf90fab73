#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    const CoreLocalMem<uint32_t> copy(get_arg_val<uint32_t>(0));
    constexpr uint32_t page_bytes = 2048;
    constexpr auto layout = TensorAccessorArgs<0>();
    const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(1), page_bytes);
    const Noc noc;
    const Semaphore ready(0);
    ready.wait(1);
    noc.async_read(tensor, copy, page_bytes, {.page_id = 3}, {});
    noc.async_read_barrier();
}
