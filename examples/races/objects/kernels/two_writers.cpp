#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    const CoreLocalMem<uint32_t> block(get_arg_val<uint32_t>(0));
    const uint32_t slot = get_arg_val<uint32_t>(2);
    constexpr uint32_t page_bytes = 512;
    constexpr auto layout = TensorAccessorArgs<0>();
    const auto tensor = TensorAccessor(layout, get_arg_val<uint32_t>(1), page_bytes);
    const Noc noc;
    noc.async_write(block, tensor, page_bytes, {}, {.page_id = MENDED ? slot : slot / 2});
    noc.async_write_barrier();
}
