#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"

void kernel_main() {
    const CoreLocalMem<volatile uint32_t> halves(get_arg_val<uint32_t>(0));
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t x = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    constexpr uint32_t half_bytes = 1024;
    const Noc noc;
    for (uint32_t half = 0; half < 2; ++half) {
        noc.async_write<NocOptions::TXN_ID>(halves, UnicastEndpoint{}, half_bytes, {.offset_bytes = half * half_bytes},
                                            {.noc_x = x, .noc_y = y, .addr = target + half * half_bytes},
                                            NocOptVals{.trid = 1 + half});
    }
#if MENDED
    noc.async_writes_flushed<NocOptions::TXN_ID>(2);
#else
    noc.async_writes_flushed<NocOptions::TXN_ID>(1);
#endif
    halves[half_bytes / 4] = 0;
    noc.async_write_barrier();
}
