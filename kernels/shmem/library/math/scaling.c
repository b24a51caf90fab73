/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

double scalbn(double x, int exponent) {
    for (; exponent > 1023; exponent -= 1023) {
        x *= 0x1p1023;
        if (exponent > 5000) exponent = 5000;
    }
    /* Steps of this size do not round twice. */
    for (; exponent < -1022; exponent += 969) {
        x *= 0x1p-969;
        if (exponent < -5000) exponent = -5000;
    }
    return x * of_bits((uint64_t)(exponent + 1023) << 52);
}
double ldexp(double x, int exponent) { return scalbn(x, exponent); }
double scalbln(double x, long exponent) { return scalbn(x, exponent); }
double frexp(double x, int* exponent) {
    if (x == 0 || x != x || isinf(x)) {
        *exponent = 0;
        return x;
    }
    int shift = 0;
    if (exponent_of(x) == 0) {
        x *= 0x1p64;
        shift = -64;
    }
    *exponent = exponent_of(x) - 1022 + shift;
    return of_bits((bits_of(x) & ~(0x7FFULL << 52)) | 1022ULL << 52);
}
int ilogb(double x) {
    if (x == 0) return FP_ILOGB0;
    if (x != x) return FP_ILOGBNAN;
    if (isinf(x)) return __INT_MAX__;
    int exponent;
    frexp(x, &exponent);
    return exponent - 1;
}
double logb(double x) { return x == 0 ? -INFINITY : x != x || isinf(x) ? x * x : ilogb(x); }
double nextafter(double x, double y) {
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return copysign(0x1p-1074, y);
    return of_bits(bits_of(x) + ((y > x) == (x > 0) ? 1 : -1));
}

float scalbnf(float x, int exponent) { return (float)scalbn(x, exponent); }
float ldexpf(float x, int exponent) { return (float)scalbn(x, exponent); }
float scalblnf(float x, long exponent) { return (float)scalbn(x, exponent); }
float frexpf(float x, int* exponent) { return (float)frexp(x, exponent); }
int ilogbf(float x) { return ilogb(x); }
float logbf(float x) { return (float)logb(x); }
float nextafterf(float x, float y) {
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return copysignf(0x1p-149F, y);
    return float_of_bits(bits_of_float(x) + ((y > x) == (x > 0) ? 1 : -1));
}
