/* SPDX-License-Identifier: Apache-2.0
 * Rounding is always to the nearest value, and nobody is told of exceptions. */
#ifndef NOCBENCH_FENV_H
#define NOCBENCH_FENV_H

#define FE_TONEAREST 0
#define FE_ALL_EXCEPT 0

typedef unsigned fenv_t;
typedef unsigned fexcept_t;

static inline int fegetround(void) { return FE_TONEAREST; }
static inline int fesetround(int mode) { return mode != FE_TONEAREST; }
static inline int feclearexcept(int which) { return which & 0; }
static inline int fetestexcept(int which) { return which & 0; }

#endif
