// SPDX-License-Identifier: Apache-2.0
// Cache operations of locks: empty, as only other chips have such caches.

#pragma once

#include <stdint.h>

#include "risc_common.h"

FORCE_INLINE void scoped_lock_acquire_cache_ops(uintptr_t, uint32_t) {}
FORCE_INLINE void scoped_lock_release_cache_ops(uintptr_t, uint32_t) {}
