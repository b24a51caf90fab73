/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_LIMITS_H
#define NOCBENCH_LIMITS_H

#include_next <limits.h>

#ifndef PATH_MAX
#define PATH_MAX 256
#endif
#ifndef NAME_MAX
#define NAME_MAX 64
#endif
#ifndef HOST_NAME_MAX
#define HOST_NAME_MAX 64
#endif
#ifndef SSIZE_MAX
#define SSIZE_MAX INT_MAX
#endif
#ifndef _POSIX_HOST_NAME_MAX
#define _POSIX_HOST_NAME_MAX 64
#endif

#endif
