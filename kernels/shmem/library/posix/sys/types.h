/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_SYS_TYPES_H
#define NOCBENCH_SYS_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef int ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef long time_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef unsigned long clock_t;
typedef int clockid_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

#endif
