/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* Parses digits. Values above `limit`, or below -limit - is_signed, saturate. */
static unsigned long long parsed(const char* text, char** end, int base, unsigned long long limit, int is_signed) {
    const char* at = text;
    while (isspace((unsigned char)*at)) ++at;
    int is_negative = *at == '-';
    if (*at == '-' || *at == '+') ++at;
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] | 0x20) == 'x' && isxdigit((unsigned char)at[2])) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    unsigned long long most = is_negative && is_signed ? limit + 1 : limit;
    unsigned long long value = 0;
    int is_out_of_range = 0;
    int has_digits = 0;
    for (;; ++at) {
        int digit = isdigit((unsigned char)*at)   ? *at - '0'
                    : isalpha((unsigned char)*at) ? (*at | 0x20) - 'a' + 10
                                                  : 99;
        if (digit >= base) break;
        has_digits = 1;
        if (value > (most - digit) / base) {
            is_out_of_range = 1;
        } else {
            value = value * base + digit;
        }
    }
    if (end != NULL) *end = (char*)(has_digits ? at : text);
    if (is_out_of_range) {
        errno = ERANGE;
        return is_signed && is_negative ? -most : most;
    }
    return is_negative ? -value : value;
}

long strtol(const char* text, char** end, int base) { return parsed(text, end, base, LONG_MAX, 1); }
unsigned long strtoul(const char* text, char** end, int base) { return parsed(text, end, base, ULONG_MAX, 0); }
long long strtoll(const char* text, char** end, int base) { return parsed(text, end, base, LLONG_MAX, 1); }
unsigned long long strtoull(const char* text, char** end, int base) { return parsed(text, end, base, ULLONG_MAX, 0); }
intmax_t strtoimax(const char* text, char** end, int base) { return strtoll(text, end, base); }
uintmax_t strtoumax(const char* text, char** end, int base) { return strtoull(text, end, base); }
long long atoll(const char* text) { return strtoll(text, NULL, 10); }

/* Separate from parsed(): most programs parse only by atoi, and 64-bit divisions take memory. */
int atoi(const char* text) {
    while (isspace((unsigned char)*text)) ++text;
    int is_negative = *text == '-';
    if (*text == '-' || *text == '+') ++text;
    unsigned value = 0;
    for (; isdigit((unsigned char)*text); ++text) value = value * 10 + (*text - '0');
    return is_negative ? -value : value;
}
long atol(const char* text) { return atoi(text); }

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }
intmax_t imaxabs(intmax_t value) { return value < 0 ? -value : value; }
div_t div(int numerator, int denominator) { return (div_t){numerator / denominator, numerator % denominator}; }
ldiv_t ldiv(long numerator, long denominator) { return (ldiv_t){numerator / denominator, numerator % denominator}; }
lldiv_t lldiv(long long numerator, long long denominator) {
    return (lldiv_t){numerator / denominator, numerator % denominator};
}
imaxdiv_t imaxdiv(intmax_t numerator, intmax_t denominator) {
    return (imaxdiv_t){numerator / denominator, numerator % denominator};
}
