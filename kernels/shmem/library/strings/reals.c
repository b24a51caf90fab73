/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

/* Decimal digits to the nearest double: 34 digits are exact in the 113 bits of a long double, and so are the powers of
 * ten up to 10^48; what is beyond may be off by the last bit of a double in rare cases. */
double strtod(const char* text, char** end) {
    const char* at = text;
    while (isspace((unsigned char)*at)) ++at;
    int is_negative = *at == '-';
    if (*at == '-' || *at == '+') ++at;
    double value = 0;
    if (strncasecmp(at, "inf", 3) == 0) {
        value = INFINITY;
        at += strncasecmp(at, "infinity", 8) == 0 ? 8 : 3;
    } else if (strncasecmp(at, "nan", 3) == 0) {
        value = NAN;
        at += 3;
    } else {
        int base = 10, power = 0, has_digits = 0, has_point = 0, digits = 0;
        if (at[0] == '0' && (at[1] | 0x20) == 'x' && (isxdigit((unsigned char)at[2]) || at[2] == '.')) {
            base = 16;
            at += 2;
        }
        long double sum = 0;
        for (;; ++at) {
            if (*at == '.' && !has_point) {
                has_point = 1;
            } else if (base == 10 ? isdigit((unsigned char)*at) : isxdigit((unsigned char)*at)) {
                int digit = isdigit((unsigned char)*at) ? *at - '0' : (*at | 0x20) - 'a' + 10;
                has_digits = 1;
                if (digits < (base == 10 ? 34 : 28)) {
                    sum = sum * base + digit;
                    digits += sum != 0;
                    power -= has_point;
                } else {
                    power += !has_point;
                }
            } else {
                break;
            }
        }
        if (!has_digits) {
            if (end != NULL) *end = (char*)text;
            return 0;
        }
        if (base == 16) power *= 4;
        if ((*at | 0x20) == (base == 16 ? 'p' : 'e')) {
            const char* exponent = at + 1;
            int is_negative_exponent = *exponent == '-';
            if (*exponent == '-' || *exponent == '+') ++exponent;
            if (isdigit((unsigned char)*exponent)) {
                int number = 0;
                for (; isdigit((unsigned char)*exponent); ++exponent) {
                    if (number < 10000) number = number * 10 + (*exponent - '0');
                }
                power += is_negative_exponent ? -number : number;
                at = exponent;
            }
        }
        if (sum != 0) {
            long double factor = base == 16 ? 2 : 10, scale = 1;
            for (unsigned left = abs(power); left != 0; left >>= 1) {
                if (left & 1) scale *= factor;
                factor *= factor;
            }
            value = power < 0 ? sum / scale : sum * scale;
            if (value == 0 || isinf(value)) errno = ERANGE;
        }
    }
    if (end != NULL) *end = (char*)at;
    return is_negative ? -value : value;
}

float strtof(const char* text, char** end) { return strtod(text, end); }
long double strtold(const char* text, char** end) { return strtod(text, end); }
double atof(const char* text) { return strtod(text, NULL); }
