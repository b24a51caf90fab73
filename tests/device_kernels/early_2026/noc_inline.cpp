// SPDX-License-Identifier: Apache-2.0
// Words written inline through a Noc object.

#include "dataflow_api.h"
#include "experimental/endpoints.h"
#include "experimental/noc.h"

void kernel_main() {
    const uint32_t target = get_arg_val<uint32_t>(0);
    const uint32_t noc_x = get_arg_val<uint32_t>(1);
    const uint32_t noc_y = get_arg_val<uint32_t>(2);
    experimental::Noc noc;
    experimental::UnicastEndpoint endpoint;
    for (uint32_t i = 0; i < get_compile_time_arg_val(0); ++i) {
        noc.inline_dw_write(endpoint, 7 * i, {.noc_x = noc_x, .noc_y = noc_y, .addr = target + 4 * i});
    }
    noc.async_write_barrier();
}
