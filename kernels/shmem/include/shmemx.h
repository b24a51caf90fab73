/* SPDX-License-Identifier: Apache-2.0
 * Where libraries keep what they have beyond the specification. This one has nothing. */
#ifndef NOCBENCH_SHMEMX_H
#define NOCBENCH_SHMEMX_H
#include "shmem.h"
#endif
