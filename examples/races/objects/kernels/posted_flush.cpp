#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"

void kernel_main() {
    const CoreLocalMem<volatile uint32_t> scratch(get_arg_val<uint32_t>(0));
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t x = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    constexpr uint32_t block_bytes = 1024;
    const Noc noc;
    for (uint32_t block = 0; block < 4; ++block) {
        scratch[0] = block + 1;
        noc.async_write<NocOptions::POSTED>(scratch, UnicastEndpoint{}, block_bytes, {},
                                            {.noc_x = x, .noc_y = y, .addr = target + block * block_bytes});
#if MENDED
        noc.async_writes_flushed<NocOptions::POSTED>();
#else
        noc.async_writes_flushed();
#endif
    }
    noc.async_writes_flushed<NocOptions::POSTED>();
}
