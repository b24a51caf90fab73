/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_SYS_TIME_H
#define NOCBENCH_SYS_TIME_H

#include <sys/types.h>

#define timerclear(value) ((value)->tv_sec = (value)->tv_usec = 0)
#define timerisset(value) ((value)->tv_sec || (value)->tv_usec)
#define timercmp(one, other, compare) \
    ((one)->tv_sec == (other)->tv_sec ? (one)->tv_usec compare(other)->tv_usec : (one)->tv_sec compare(other)->tv_sec)
#define timeradd(one, other, result)                           \
    do {                                                       \
        (result)->tv_sec = (one)->tv_sec + (other)->tv_sec;    \
        (result)->tv_usec = (one)->tv_usec + (other)->tv_usec; \
        if ((result)->tv_usec >= 1000000) {                    \
            ++(result)->tv_sec;                                \
            (result)->tv_usec -= 1000000;                      \
        }                                                      \
    } while (0)
#define timersub(one, other, result)                           \
    do {                                                       \
        (result)->tv_sec = (one)->tv_sec - (other)->tv_sec;    \
        (result)->tv_usec = (one)->tv_usec - (other)->tv_usec; \
        if ((result)->tv_usec < 0) {                           \
            --(result)->tv_sec;                                \
            (result)->tv_usec += 1000000;                      \
        }                                                      \
    } while (0)

struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};

#ifdef __cplusplus
extern "C" {
#endif

int gettimeofday(struct timeval* result, void* zone);

#ifdef __cplusplus
}
#endif

#endif
