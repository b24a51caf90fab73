// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace nocbench {

/// Marks memory as in use until the end of the block. Records nothing, since observers of a kernel see each access.
struct [[maybe_unused]] ScopedLock {
    constexpr ScopedLock() {}
    ~ScopedLock() {}
};

}  // namespace nocbench
