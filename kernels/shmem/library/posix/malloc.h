/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_MALLOC_H
#define NOCBENCH_MALLOC_H

#include <stdlib.h>

#endif
