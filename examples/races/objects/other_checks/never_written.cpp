#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    const CoreLocalMem<uint32_t> block(get_arg_val<uint32_t>(0));
    constexpr uint32_t page_bytes = 1024;
    constexpr auto layout = TensorAccessorArgs<0>();
    const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(1), page_bytes);
    const Noc noc;
#if MENDED
    noc.async_write(block, tensor, page_bytes, {}, {.page_id = 0});
    noc.async_write_barrier();
#endif
    noc.async_read(tensor, block, page_bytes, {.page_id = 0}, {});
    noc.async_read_barrier();
}
