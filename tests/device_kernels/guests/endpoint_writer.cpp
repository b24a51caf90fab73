// SPDX-License-Identifier: Apache-2.0
// Writes this core's L1 to a core, from an endpoint whose coordinates are those of nobody.

#include "dataflow_api.h"
#include "experimental/endpoints.h"

void kernel_main() {
    const uint32_t from = get_arg_val<uint32_t>(0);
    const uint32_t to = get_arg_val<uint32_t>(1);
    const uint32_t x = get_arg_val<uint32_t>(2);
    const uint32_t y = get_arg_val<uint32_t>(3);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t num_calls = get_compile_time_arg_val(1);

    experimental::Noc noc;
    experimental::UnicastEndpoint here;
    experimental::UnicastEndpoint there;
    noc.set_async_write_state<experimental::Noc::ResponseMode::NON_POSTED>(there, call_bytes,
                                                                           {.noc_x = x, .noc_y = y, .addr = to});
    for (uint32_t call = 0; call < num_calls; ++call) {
        const uint32_t offset = call * call_bytes;
        if (call % 2 == 0) {
            noc.async_write_with_state<experimental::Noc::ResponseMode::NON_POSTED>(
                here, there, call_bytes, {.addr = from + offset}, {.noc_x = x, .noc_y = y, .addr = to + offset});
        } else {
            noc.async_write(here, there, call_bytes, {.addr = from + offset},
                            {.noc_x = x, .noc_y = y, .addr = to + offset});
        }
    }
    noc.async_write_barrier();
}
