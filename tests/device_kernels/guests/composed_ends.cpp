// SPDX-License-Identifier: Apache-2.0
// Copies a block of another core by way of this core to a third place: both ends are complete NoC addresses.

#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"

void kernel_main() {
    const uint64_t from = get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2));
    const uint32_t middle = get_arg_val<uint32_t>(3);
    const uint64_t to = get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(4));
    constexpr uint32_t block_bytes = get_compile_time_arg_val(0);

    Noc noc;
    PrecomposedUnicastEndpoint end;
    noc.async_read(end, end, block_bytes, {.noc_addr = from}, {.noc_addr = get_noc_addr(middle)});
    noc.async_read_barrier();
    noc.async_write(end, end, block_bytes, {.noc_addr = get_noc_addr(middle)}, {.noc_addr = to});
    noc.async_write_barrier();
}
