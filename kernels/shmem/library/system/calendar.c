/* SPDX-License-Identifier: Apache-2.0
 * Time begins with the program, so dates are those after 1 January 1970. */
#include <stdio.h>
#include <time.h>

double difftime(time_t later, time_t earlier) { return (double)(later - earlier); }

struct tm* gmtime_r(const time_t* value, struct tm* result) {
    long days = *value / 86400, rest = *value % 86400;
    result->tm_hour = rest / 3600;
    result->tm_min = rest / 60 % 60;
    result->tm_sec = rest % 60;
    result->tm_wday = (days + 4) % 7;
    int year = 1970;
    for (;; ++year) {
        int length = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365;
        if (days < length) break;
        days -= length;
    }
    int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    result->tm_year = year - 1900;
    result->tm_yday = days;
    int month = 0;
    for (;; ++month) {
        int length = month == 1 ? 28 + is_leap : month == 3 || month == 5 || month == 8 || month == 10 ? 30 : 31;
        if (days < length) break;
        days -= length;
    }
    result->tm_mon = month;
    result->tm_mday = days + 1;
    result->tm_isdst = 0;
    return result;
}
struct tm* gmtime(const time_t* value) {
    static struct tm result;
    return gmtime_r(value, &result);
}
struct tm* localtime_r(const time_t* value, struct tm* result) { return gmtime_r(value, result); }
struct tm* localtime(const time_t* value) { return gmtime(value); }

char* asctime(const struct tm* value) {
    static char text[26];
    snprintf(text, sizeof text, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", &"SunMonTueWedThuFriSat"[3 * value->tm_wday],
             &"JanFebMarAprMayJunJulAugSepOctNovDec"[3 * value->tm_mon], value->tm_mday, value->tm_hour, value->tm_min,
             value->tm_sec, 1900 + value->tm_year);
    return text;
}
char* ctime(const time_t* value) { return asctime(gmtime(value)); }
