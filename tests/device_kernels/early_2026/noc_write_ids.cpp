// SPDX-License-Identifier: Apache-2.0
// Writes under transaction ids, and waits for each id separately.

#include "dataflow_api.h"
#include "experimental/core_local_mem.h"
#include "experimental/endpoints.h"
#include "experimental/noc.h"

void kernel_main() {
    using experimental::Noc;
    constexpr uint32_t num_ids = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t noc_x = get_arg_val<uint32_t>(2);
    const uint32_t noc_y = get_arg_val<uint32_t>(3);

    Noc noc;
    experimental::UnicastEndpoint endpoint;
    experimental::CoreLocalMem<uint32_t> source(get_arg_val<uint32_t>(0));
    for (uint32_t id = 1; id <= num_ids; ++id) {
        const uint32_t offset = (id - 1) * call_bytes;
        noc.async_write<Noc::TxnIdMode::ENABLED, Noc::ResponseMode::NON_POSTED>(
            source, endpoint, call_bytes, {.offset_bytes = offset},
            {.noc_x = noc_x, .noc_y = noc_y, .addr = target + offset}, NOC_UNICAST_WRITE_VC, id);
    }
    for (uint32_t id = 1; id <= num_ids; ++id) {
        noc.async_write_barrier<Noc::BarrierMode::TXN_ID>(id);
    }
}
