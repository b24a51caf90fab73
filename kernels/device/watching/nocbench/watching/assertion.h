// SPDX-License-Identifier: Apache-2.0
// Assertions of kernels, checked unless compiled with NOCBENCH_ASSERTS=0; a device without watchdog does not check
// them.

#pragma once

#include "nocbench/watching/trap.h"

#ifndef NOCBENCH_ASSERTS
#define NOCBENCH_ASSERTS 1
#endif

#define NOCBENCH_TEXT_(text) #text
#define NOCBENCH_TEXT(text) NOCBENCH_TEXT_(text)

#if NOCBENCH_ASSERTS
#define ASSERT(condition, ...)                                                               \
    do {                                                                                     \
        if (!(condition)) [[unlikely]] {                                                     \
            nocbench::trap<nocbench::Trap::assertion_failed>(                                \
                nocbench::address_of(#condition ", " __FILE__ ":" NOCBENCH_TEXT(__LINE__))); \
        }                                                                                    \
    } while (false)
#else
#define ASSERT(condition, ...) \
    do {                       \
    } while (false)
#endif
#define LIGHTWEIGHT_KERNEL_ASSERTS
#define LLK_ASSERT(condition, message) ASSERT(condition)
