// SPDX-License-Identifier: Apache-2.0
// Reads from a core into this one: an endpoint is the local end, too, by its address alone.

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
    experimental::UnicastEndpoint core;
    // The first half with all arguments of each call, the second half by the tile that is set once.
    for (uint32_t call = 0; call < num_calls / 2; ++call) {
        const uint32_t offset = call * call_bytes;
        noc.async_read(core, core, call_bytes, {.noc_x = x, .noc_y = y, .addr = from + offset}, {.addr = to + offset});
    }
    noc.set_async_read_state<experimental::Noc::VcSelection::DEFAULT, call_bytes>(
        core, call_bytes, {.noc_x = x, .noc_y = y, .addr = from});
    for (uint32_t call = num_calls / 2; call < num_calls; ++call) {
        const uint32_t offset = call * call_bytes;
        noc.async_read_with_state<experimental::Noc::VcSelection::DEFAULT, call_bytes>(
            core, core, call_bytes, {.noc_x = x, .noc_y = y, .addr = from + offset}, {.addr = to + offset});
    }
    noc.async_read_barrier();
}
