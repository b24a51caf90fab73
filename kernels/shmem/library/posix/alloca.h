/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_ALLOCA_H
#define NOCBENCH_ALLOCA_H

#define alloca(size) __builtin_alloca(size)

#endif
