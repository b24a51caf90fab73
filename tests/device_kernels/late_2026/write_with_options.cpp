// SPDX-License-Identifier: Apache-2.0
// Writes with a virtual channel and a transaction id in an options struct.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"

void kernel_main() {
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t noc_x = get_arg_val<uint32_t>(2);
    const uint32_t noc_y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);

    Noc noc;
    CoreLocalMem<uint32_t> source(get_arg_val<uint32_t>(0));
    for (uint32_t i = 0; i < num_calls; ++i) {
        const uint32_t offset = i * call_bytes;
        if (i % 2 == 0) {
            noc.async_write(source, UnicastEndpoint{}, call_bytes, {.offset_bytes = offset},
                            {.noc_x = noc_x, .noc_y = noc_y, .addr = target + offset}, NocOptVals{.vc = i % 4});
        } else {
            noc.async_write<NocOptions::TXN_ID>(source, UnicastEndpoint{}, call_bytes, {.offset_bytes = offset},
                                                {.noc_x = noc_x, .noc_y = noc_y, .addr = target + offset},
                                                {.vc = 1, .trid = 5});
        }
    }
    noc.async_write_barrier<NocOptions::TXN_ID>(5);
    noc.async_write_barrier();
}
