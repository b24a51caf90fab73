// SPDX-License-Identifier: Apache-2.0
// Reads through a Noc object with an explicit NoC.

#include "dataflow_api.h"
#include "experimental/core_local_mem.h"
#include "experimental/endpoints.h"
#include "experimental/noc.h"

using namespace experimental;

void kernel_main() {
    Noc noc(noc_index);
    UnicastEndpoint endpoint;
    CoreLocalMem<uint8_t> target(get_arg_val<uint32_t>(1));
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t noc_x = get_arg_val<uint32_t>(2);
    const uint32_t noc_y = get_arg_val<uint32_t>(3);
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);

    for (uint32_t i = 0; i < num_calls; ++i) {
        noc.async_read<Noc::TxnIdMode::DISABLED, call_bytes>(
            endpoint, target, call_bytes, {.noc_x = noc_x, .noc_y = noc_y, .addr = source + i * call_bytes},
            {.offset_bytes = i * call_bytes});
    }
    noc.async_read_barrier();
}
