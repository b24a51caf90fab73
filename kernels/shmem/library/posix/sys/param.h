/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_SYS_PARAM_H
#define NOCBENCH_SYS_PARAM_H

#include <limits.h>
#include <sys/types.h>

#define MAXPATHLEN PATH_MAX
#define MAXHOSTNAMELEN HOST_NAME_MAX
#define MIN(one, other) ((one) < (other) ? (one) : (other))
#define MAX(one, other) ((one) > (other) ? (one) : (other))

#endif
