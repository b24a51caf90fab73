// SPDX-License-Identifier: Apache-2.0
// Requests a block from a producer and waits for it.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"
#include "experimental/kernel_args.h"

void kernel_main() {
    Noc noc;
    Semaphore wanted(sem::wanted);
    Semaphore done(sem::done);
    wanted.up(noc, get_arg(args::producer_x), get_arg(args::producer_y), 1);
    done.wait_min(1);
    // The first word shows that the kernel saw the data.
    CoreLocalMem<uint32_t> target(get_arg(args::target));
    target[0] = target[0] + get_arg(args::mark);
    noc.async_atomic_barrier();
}
