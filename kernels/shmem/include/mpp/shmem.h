/* SPDX-License-Identifier: Apache-2.0
 * Location of the header until OpenSHMEM 1.2, and with SGI and Cray. */
#include <shmem.h>
