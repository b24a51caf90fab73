/* SPDX-License-Identifier: Apache-2.0
 * Where the header was until OpenSHMEM 1.2, and where SGI and Cray have it. */
#include <shmem.h>
