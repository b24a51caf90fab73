/* SPDX-License-Identifier: Apache-2.0
 * Compilers bring it without a C library. */
#ifndef NOCBENCH_STDINT_H
#define NOCBENCH_STDINT_H

#include <stdint-gcc.h>

#endif
