// SPDX-License-Identifier: Apache-2.0
// Sends a block to a consumer on request, with named semaphores.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"
#include "experimental/kernel_args.h"

void kernel_main() {
    const auto consumer_x = get_arg(args::consumer_x);
    const auto consumer_y = get_arg(args::consumer_y);
    const auto block_bytes = get_arg(args::block_bytes);
    const auto target = get_arg(args::target);

    Noc noc;
    Semaphore wanted(sem::wanted);
    Semaphore done(sem::done);
    CoreLocalMem<uint32_t> source(get_arg(args::source));
    wanted.wait(1);
    noc.async_write(source, UnicastEndpoint{}, block_bytes, {},
                    {.noc_x = consumer_x, .noc_y = consumer_y, .addr = target});
    noc.async_write_barrier();
    done.up(noc, consumer_x, consumer_y, 1);
    noc.async_atomic_barrier();
}
