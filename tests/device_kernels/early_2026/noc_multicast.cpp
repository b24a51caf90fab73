// SPDX-License-Identifier: Apache-2.0
// Linked multicasts to a rectangle with this core in it.

#include "dataflow_api.h"
#include "experimental/core_local_mem.h"
#include "experimental/endpoints.h"
#include "experimental/noc.h"

void kernel_main() {
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t x_start = get_arg_val<uint32_t>(2);
    const uint32_t y_start = get_arg_val<uint32_t>(3);
    const uint32_t x_end = get_arg_val<uint32_t>(4);
    const uint32_t y_end = get_arg_val<uint32_t>(5);
    constexpr uint32_t num_cores = get_compile_time_arg_val(0);
    constexpr uint32_t num_calls = get_compile_time_arg_val(1);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(2);

    experimental::Noc noc;
    experimental::CoreLocalMem<uint32_t> source(get_arg_val<uint32_t>(0));
    experimental::MulticastEndpoint rectangle;
    for (uint32_t i = 0; i < num_calls; ++i) {
        noc.async_write_multicast<experimental::Noc::McastMode::INCLUDE_SRC>(source, rectangle, call_bytes, num_cores,
                                                                             {.offset_bytes = i * call_bytes},
                                                                             {.noc_x_start = x_start,
                                                                              .noc_y_start = y_start,
                                                                              .noc_x_end = x_end,
                                                                              .noc_y_end = y_end,
                                                                              .addr = target + i * call_bytes},
                                                                             i + 1 < num_calls);
    }
    noc.async_write_barrier();
}
