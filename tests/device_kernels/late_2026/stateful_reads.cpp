// SPDX-License-Identifier: Apache-2.0
// Stateful reads of one packet from one core.

#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t noc_x = get_arg_val<uint32_t>(1);
    const uint32_t noc_y = get_arg_val<uint32_t>(2);
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);

    Noc noc;
    UnicastEndpoint endpoint;
    CircularBuffer cb(5);
    cb.reserve_back(num_calls);
    noc.set_async_read_state<Noc::VcSelection::CUSTOM, call_bytes>(
        endpoint, call_bytes, {.noc_x = noc_x, .noc_y = noc_y, .addr = source}, NocOptVals{.vc = 2});
    for (uint32_t i = 0; i < num_calls; ++i) {
        noc.async_read_with_state<Noc::VcSelection::CUSTOM, call_bytes>(
            endpoint, cb, call_bytes, {.addr = source + i * call_bytes}, {.offset_bytes = i * call_bytes});
    }
    noc.async_read_barrier();
    cb.push_back(num_calls);
}
