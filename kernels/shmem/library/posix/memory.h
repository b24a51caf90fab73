/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_MEMORY_H
#define NOCBENCH_MEMORY_H

#include <string.h>

#endif
