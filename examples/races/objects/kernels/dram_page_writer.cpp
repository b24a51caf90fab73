#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    const CoreLocalMem<uint32_t> page(get_arg_val<uint32_t>(0));
    const uint32_t x = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    constexpr uint32_t page_bytes = 2048;
    constexpr auto layout = TensorAccessorArgs<0>();
    const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(1), page_bytes);
    const Noc noc;
    const Semaphore ready(0);
    noc.async_write(page, tensor, page_bytes, {}, {.page_id = 3});
#if MENDED
    noc.async_write_barrier();
#endif
#if INLINE_FLAG
    noc.inline_dw_write(UnicastEndpoint{}, 1, {.noc_x = x, .noc_y = y, .addr = ready.get_address()});
#else
    ready.up(noc, x, y, 1);
#endif
    noc.async_write_barrier();
    noc.async_atomic_barrier();
}
