/* SPDX-License-Identifier: Apache-2.0
 * Header for extensions of the specification. This library has none. */
#ifndef NOCBENCH_SHMEMX_H
#define NOCBENCH_SHMEMX_H
#include "shmem.h"
#endif
