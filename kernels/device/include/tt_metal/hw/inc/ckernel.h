// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llk_defs.h"
#include "risc_common.h"
#include "tensix_types.h"

namespace ckernel {

enum ThreadId { UnpackThreadId, MathThreadId, PackThreadId, BriscThreadId };

/// Does nothing: compute kernels, which would read the mailbox, do not run.
FORCE_INLINE void mailbox_write(ThreadId, uint32_t) {}

/// Loads a value before any later memory access.
template <typename Value>
FORCE_INLINE Value load_blocking(volatile Value* address) {
    const Value value = *address;
    __asm__ volatile("and x0, x0, %0" : : "r"(value) : "memory");
    return value;
}

}  // namespace ckernel
