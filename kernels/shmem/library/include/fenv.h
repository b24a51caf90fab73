/* SPDX-License-Identifier: Apache-2.0
 * Rounding is always to the nearest value, and exceptions are not reported. */
#ifndef NOCBENCH_FENV_H
#define NOCBENCH_FENV_H

#define FE_TONEAREST 0
#define FE_ALL_EXCEPT 0
#define FE_DFL_ENV ((const fenv_t*)0)

typedef unsigned fenv_t;
typedef unsigned fexcept_t;

static inline int fegetround(void) { return FE_TONEAREST; }
static inline int fesetround(int mode) { return mode != FE_TONEAREST; }
static inline int feclearexcept(int which) { return which & 0; }
static inline int feraiseexcept(int which) { return which != 0; }
static inline int fetestexcept(int which) { return which & 0; }
static inline int fegetexceptflag(fexcept_t* flags, int which) { return (int)(*flags = 0) | (which & 0); }
static inline int fesetexceptflag(const fexcept_t* flags, int which) { return (int)(*flags & 0) | (which & 0); }
static inline int fegetenv(fenv_t* environment) { return (int)(*environment = 0); }
static inline int fesetenv(const fenv_t* environment) { return environment == (const fenv_t*)1; }
static inline int feholdexcept(fenv_t* environment) { return (int)(*environment = 0); }
static inline int feupdateenv(const fenv_t* environment) { return fesetenv(environment); }

#endif
