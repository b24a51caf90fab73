/* SPDX-License-Identifier: Apache-2.0
 * Only declarations needed by the C++ library. */
#ifndef NOCBENCH_WCTYPE_H
#define NOCBENCH_WCTYPE_H

#include <wchar.h>

typedef unsigned long wctype_t;
typedef unsigned long wctrans_t;

#endif
