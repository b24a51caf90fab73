/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NOCBENCH_TIME_H
#define NOCBENCH_TIME_H

#include <stddef.h>
#include <sys/types.h>

/* Microseconds, as POSIX requires: the clock of the core, 600 MHz, is too fast for clock_t. */
#define CLOCKS_PER_SEC 1000000
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define TIME_UTC 1

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
};

#ifdef __cplusplus
extern "C" {
#endif

/* Times of the modeled clock: 0 is the start of the programs. */
time_t time(time_t* result);
clock_t clock(void);
int clock_gettime(clockid_t clock, struct timespec* result);
int clock_getres(clockid_t clock, struct timespec* result);
int timespec_get(struct timespec* result, int base);
int nanosleep(const struct timespec* duration, struct timespec* rest);

double difftime(time_t later, time_t earlier);
time_t mktime(struct tm* value);
time_t timegm(struct tm* value);
void tzset(void);
struct tm* gmtime(const time_t* value);
struct tm* gmtime_r(const time_t* value, struct tm* result);
struct tm* localtime(const time_t* value);
struct tm* localtime_r(const time_t* value, struct tm* result);
char* asctime(const struct tm* value);
char* asctime_r(const struct tm* value, char* text);
char* ctime(const time_t* value);
char* ctime_r(const time_t* value, char* text);
size_t strftime(char* text, size_t size, const char* format, const struct tm* value);

#ifdef __cplusplus
}
#endif

#endif
