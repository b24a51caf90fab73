// SPDX-License-Identifier: Apache-2.0
// Gathers a word from each of several cores, whose coordinates follow the named arguments.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "experimental/kernel_args.h"

void kernel_main() {
    const uint32_t num_cores = get_arg(args::num_cores);
    const uint32_t source = get_arg(args::source);
    Noc noc;
    CoreLocalMem<uint32_t> target(get_arg(args::target));
    for (uint32_t core = 0; core < num_cores; ++core) {
        noc.async_read(UnicastEndpoint{}, target, 16,
                       {.noc_x = get_vararg(2 * core), .noc_y = get_vararg(2 * core + 1), .addr = source},
                       {.offset_bytes = 16 * core});
    }
    noc.async_read_barrier();
}
