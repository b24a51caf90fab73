// SPDX-License-Identifier: Apache-2.0
// Passes a block around a ring of cores, each of which adds one to every word.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/dataflow/noc_semaphore.h"

template <bool first>
void pass_on(const Noc& noc, const CoreLocalMem<uint32_t>& block, uint32_t words, uint32_t next_x, uint32_t next_y,
             const Semaphore<>& turn) {
    if constexpr (!first) {
        turn.wait(1);
        turn.set(0);
    }
    for (uint32_t i = 0; i < words; ++i) {
        block[i] = block[i] + 1;
    }
    noc.async_write(block, UnicastEndpoint{}, words * 4, {},
                    {.noc_x = next_x, .noc_y = next_y, .addr = block.get_address()});
    noc.async_write_barrier();
    turn.up(noc, next_x, next_y, 1);
    noc.async_atomic_barrier();
}

void kernel_main() {
    const uint32_t words = get_compile_time_arg_val(0);
    Noc noc;
    CoreLocalMem<uint32_t> block(get_arg_val<uint32_t>(0));
    const uint32_t next_x = get_arg_val<uint32_t>(1);
    const uint32_t next_y = get_arg_val<uint32_t>(2);
    const bool is_first = get_arg_val<uint32_t>(3) != 0;
    Semaphore<> turn(3);
    if (is_first) {
        pass_on<true>(noc, block, words, next_x, next_y, turn);
        turn.down(1);
    } else {
        pass_on<false>(noc, block, words, next_x, next_y, turn);
    }
}
