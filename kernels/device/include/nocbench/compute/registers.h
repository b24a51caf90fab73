// SPDX-License-Identifier: Apache-2.0
// Dst, which math fills and pack empties, a half each.

#pragma once

#include "nocbench/compute/commands.h"

namespace tt {
enum class DstMode : uint8_t { Full = 0, Half = 1, Tile = 2 };
}  // namespace tt

namespace ckernel {

/// Waits, in math, until half of Dst is free.
FORCE_INLINE void tile_regs_acquire() {
    if constexpr (nocbench::compute::is_math) {
        nocbench::compute::command<nocbench::compute::Operation::acquire>();
    }
}

/// Hands it from math to pack.
FORCE_INLINE void tile_regs_commit() {
    if constexpr (nocbench::compute::is_math) {
        nocbench::compute::command<nocbench::compute::Operation::commit>();
    }
}

/// Waits, in pack, until math has committed a half.
FORCE_INLINE void tile_regs_wait() {
    if constexpr (nocbench::compute::is_pack) {
        nocbench::compute::command<nocbench::compute::Operation::wait>();
    }
}

/// Clears it and gives it back to math.
FORCE_INLINE void tile_regs_release() {
    if constexpr (nocbench::compute::is_pack) {
        nocbench::compute::command<nocbench::compute::Operation::release>();
    }
}

// Math clears Dst, instead of pack.
template <bool wide_dst = false>
FORCE_INLINE void tile_regs_acquire_math_clear() {
    tile_regs_acquire();
}
FORCE_INLINE void tile_regs_release_math_clear() { tile_regs_release(); }

// Names before 2025: both threads wait, and both pass on.
FORCE_INLINE void acquire_dst(tt::DstMode = tt::DstMode::Half) {
    tile_regs_acquire();
    tile_regs_wait();
}
FORCE_INLINE void release_dst(tt::DstMode = tt::DstMode::Half) {
    using namespace nocbench::compute;
    if constexpr (is_math) {
        command<Operation::commit>(without_dst);
    }
    if constexpr (is_pack) {
        command<Operation::release>(without_dst);
    }
}

}  // namespace ckernel
