// SPDX-License-Identifier: Apache-2.0
// How kernels that run on many cores begin together. Device kernels include it behind their API.

#pragma once

/// Waits until as many kernels as meet have come here. Each adds one to a counter on the core where they meet, and then
/// reads it again and again until it is high enough. Such reads queue up at that core, so kernels leave one after the
/// other: within some 10 cycles for each that meets.
///
/// Runtime arguments from `first_argument` on: kernels that meet (0: none waits), x and y of the core where they meet,
/// semaphore that is the counter, semaphore whose word the counter is read into.
FORCE_INLINE void meet(uint32_t first_argument) {
    const uint32_t num_kernels = get_arg_val<uint32_t>(first_argument);
    if (num_kernels == 0) {
        return;
    }
    const uint64_t counter =
        get_noc_addr(get_arg_val<uint32_t>(first_argument + 1), get_arg_val<uint32_t>(first_argument + 2),
                     get_semaphore(get_arg_val<uint32_t>(first_argument + 3)));
    const uint32_t copy = get_semaphore(get_arg_val<uint32_t>(first_argument + 4));
    noc_semaphore_inc(counter, 1);
    noc_async_atomic_barrier();
    do {
        noc_async_read(counter, copy, 4);
        noc_async_read_barrier();
    } while (*reinterpret_cast<volatile tt_l1_ptr uint32_t*>(copy) < num_kernels);
}
