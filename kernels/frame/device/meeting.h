// SPDX-License-Identifier: Apache-2.0
// Common start of kernels on many cores. Include after the API of device kernels.

#pragma once

/// Waits until `num_kernels` kernels have called this function. Each kernel increments a counter on the meeting core,
/// then polls it by reads. Reads queue at that core; therefore kernels leave one after another, within about 10 cycles
/// per kernel.
///
/// Runtime arguments from `first_argument` on: number of kernels (0: no wait), x and y of the meeting core, semaphore
/// with the counter, semaphore that receives the polled counter.
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
