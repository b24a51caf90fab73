// SPDX-License-Identifier: Apache-2.0
// Stateful reads and writes through Noc objects.

#include "dataflow_api.h"
#include "experimental/core_local_mem.h"
#include "experimental/endpoints.h"
#include "experimental/noc.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(2);
    const uint32_t from_x = get_arg_val<uint32_t>(3);
    const uint32_t from_y = get_arg_val<uint32_t>(4);
    const uint32_t to_x = get_arg_val<uint32_t>(5);
    const uint32_t to_y = get_arg_val<uint32_t>(6);
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);

    experimental::Noc noc;
    experimental::UnicastEndpoint endpoint;
    experimental::CoreLocalMem<uint32_t> middle(get_arg_val<uint32_t>(1));

    noc.set_async_read_state(endpoint, call_bytes, {.noc_x = from_x, .noc_y = from_y, .addr = source});
    for (uint32_t i = 0; i < num_calls; ++i) {
        noc.async_read_with_state(endpoint, middle, call_bytes, {.addr = source + i * call_bytes},
                                  {.offset_bytes = i * call_bytes});
    }
    noc.async_read_barrier();

    noc.set_async_write_state<experimental::Noc::ResponseMode::NON_POSTED, call_bytes>(
        endpoint, call_bytes, {.noc_x = to_x, .noc_y = to_y, .addr = target});
    for (uint32_t i = 0; i < num_calls; ++i) {
        noc.async_write_with_state<experimental::Noc::ResponseMode::NON_POSTED, call_bytes>(
            middle, endpoint, call_bytes, {.offset_bytes = i * call_bytes}, {.addr = target + i * call_bytes});
    }
    noc.async_writes_flushed();
    noc.async_write_barrier();
}
