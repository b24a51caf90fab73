// SPDX-License-Identifier: Apache-2.0
// Writes through a Noc object; the virtual channel is an argument.

#include "dataflow_api.h"
#include "experimental/core_local_mem.h"
#include "experimental/endpoints.h"
#include "experimental/noc.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t noc_x = get_arg_val<uint32_t>(2);
    const uint32_t noc_y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t vc = get_compile_time_arg_val(2);

    experimental::Noc noc;
    experimental::UnicastEndpoint endpoint;
    experimental::CoreLocalMem<uint32_t> memory(source);
    for (uint32_t i = 0; i < num_calls; ++i) {
        noc.async_write(memory, endpoint, call_bytes, {.offset_bytes = i * call_bytes},
                        {.noc_x = noc_x, .noc_y = noc_y, .addr = target + i * call_bytes}, vc);
    }
    noc.async_write_barrier();
}
