/* SPDX-License-Identifier: Apache-2.0
 * Time begins with the program: dates are those after 1 January 1970. All times are UTC. */
#include <stdio.h>
#include <time.h>

#define DAY_SECONDS 86400

double difftime(time_t later, time_t earlier) { return (double)later - (double)earlier; }

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int month_days(int month, int year) {
    return month == 1 ? 28 + is_leap(year) : month == 3 || month == 5 || month == 8 || month == 10 ? 30 : 31;
}

struct tm* gmtime_r(const time_t* value, struct tm* result) {
    long days = *value / DAY_SECONDS, rest = *value % DAY_SECONDS;
    if (rest < 0) {
        rest += DAY_SECONDS;
        --days;
    }
    result->tm_hour = rest / 3600;
    result->tm_min = rest / 60 % 60;
    result->tm_sec = rest % 60;
    result->tm_wday = ((days + 4) % 7 + 7) % 7;
    int year = 1970;
    for (; days < 0; days += 365 + is_leap(year)) --year;
    for (; days >= 365 + is_leap(year); ++year) days -= 365 + is_leap(year);
    result->tm_year = year - 1900;
    result->tm_yday = days;
    int month = 0;
    for (; days >= month_days(month, year); ++month) days -= month_days(month, year);
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

/* Normalizes fields outside their ranges. Returns -1 for a time beyond 32 bits. */
time_t timegm(struct tm* value) {
    long months = value->tm_mon, year = 1900L + value->tm_year + months / 12;
    months %= 12;
    if (months < 0) {
        months += 12;
        --year;
    }
    if (year < 1900 || year > 2100) return -1;
    long days = value->tm_mday - 1;
    for (int before = 1970; before < year; ++before) days += 365 + is_leap(before);
    for (int after = year; after < 1970; ++after) days -= 365 + is_leap(after);
    for (int month = 0; month < months; ++month) days += month_days(month, year);
    long long seconds = (long long)days * DAY_SECONDS + (long long)value->tm_hour * 3600 +
                        (long long)value->tm_min * 60 + value->tm_sec;
    time_t result = (time_t)seconds;
    if (result != seconds) return -1;
    gmtime_r(&result, value);
    return result;
}
time_t mktime(struct tm* value) { return timegm(value); }
void tzset(void) {}

char* asctime_r(const struct tm* value, char* text) {
    snprintf(text, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", &"SunMonTueWedThuFriSat"[3 * value->tm_wday],
             &"JanFebMarAprMayJunJulAugSepOctNovDec"[3 * value->tm_mon], value->tm_mday, value->tm_hour, value->tm_min,
             value->tm_sec, 1900 + value->tm_year);
    return text;
}
char* asctime(const struct tm* value) {
    static char text[26];
    return asctime_r(value, text);
}
char* ctime(const time_t* value) { return asctime(gmtime(value)); }
char* ctime_r(const time_t* value, char* text) {
    struct tm fields;
    return asctime_r(gmtime_r(value, &fields), text);
}
