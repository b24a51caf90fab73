// SPDX-License-Identifier: Apache-2.0
// Qualifiers of pointers and functions. The vendor's compiler uses the pointer qualifiers for scheduling; other
// compilers ignore them.

#pragma once

using uint = unsigned int;

#define tt_l1_ptr
#define tt_reg_ptr

#define FORCE_INLINE inline __attribute__((always_inline))
#define ALWI inline __attribute__((always_inline))

#ifndef likely
#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#endif

#ifndef UNUSED
#define UNUSED(value) ((void)(value))
#endif
