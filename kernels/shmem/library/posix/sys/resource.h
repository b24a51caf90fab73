/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_SYS_RESOURCE_H
#define NOCBENCH_SYS_RESOURCE_H

#include <sys/time.h>

#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
#define RUSAGE_THREAD 1

struct rusage {
    struct timeval ru_utime;
    struct timeval ru_stime;
    long ru_maxrss;
    long ru_minflt;
    long ru_majflt;
    long ru_nvcsw;
    long ru_nivcsw;
};

#ifdef __cplusplus
extern "C" {
#endif

int getrusage(int who, struct rusage* result);

#ifdef __cplusplus
}
#endif

#endif
