/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

double fabs(double x) { return of_bits(bits_of(x) & ~(1ULL << 63)); }
float fabsf(float x) { return float_of_bits(bits_of_float(x) & 0x7FFFFFFF); }
double copysign(double x, double y) { return of_bits((bits_of(x) & ~(1ULL << 63)) | (bits_of(y) & 1ULL << 63)); }
float copysignf(float x, float y) {
    return float_of_bits((bits_of_float(x) & 0x7FFFFFFF) | (bits_of_float(y) & 0x80000000));
}

/* Clears the fraction bits. */
double trunc(double x) {
    int exponent = exponent_of(x) - 1023;
    if (exponent >= 52) return x;
    uint64_t sign = 1ULL << 63;
    return of_bits(bits_of(x) & (exponent < 0 ? sign : ~(0xFFFFFFFFFFFFFULL >> exponent)));
}
double floor(double x) {
    double whole = trunc(x);
    return whole > x ? whole - 1 : whole;
}
double ceil(double x) {
    double whole = trunc(x);
    return whole < x ? copysign(whole + 1, x) : whole;
}
double round(double x) {
    double whole = trunc(x);
    return fabs(x - whole) >= 0.5 ? whole + copysign(1, x) : whole;
}
double rint(double x) {
    double most = copysign(0x1p52, x);
    return fabs(x) < 0x1p52 ? copysign((x + most) - most, x) : x;
}
double nearbyint(double x) { return rint(x); }
long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }
long lrint(double x) { return (long)rint(x); }
long long llrint(double x) { return (long long)rint(x); }
double modf(double x, double* whole) {
    *whole = trunc(x);
    return copysign(isinf(x) ? 0 : x - *whole, x);
}

float truncf(float x) {
    int exponent = (int)(bits_of_float(x) >> 23 & 0xFF) - 127;
    if (exponent >= 23) return x;
    return float_of_bits(bits_of_float(x) & (exponent < 0 ? 0x80000000 : ~(0x7FFFFFU >> exponent)));
}
float floorf(float x) {
    float whole = truncf(x);
    return whole > x ? whole - 1 : whole;
}
float ceilf(float x) {
    float whole = truncf(x);
    return whole < x ? copysignf(whole + 1, x) : whole;
}
float roundf(float x) {
    float whole = truncf(x);
    return fabsf(x - whole) >= 0.5F ? whole + copysignf(1, x) : whole;
}
float rintf(float x) {
    volatile float most = copysignf(0x1p23F, x);
    return fabsf(x) < 0x1p23F ? copysignf((x + most) - most, x) : x;
}
float nearbyintf(float x) { return rintf(x); }
long lroundf(float x) { return (long)roundf(x); }
long long llroundf(float x) { return (long long)roundf(x); }
long lrintf(float x) { return (long)rintf(x); }
long long llrintf(float x) { return (long long)rintf(x); }
float modff(float x, float* whole) {
    *whole = truncf(x);
    return copysignf(isinf(x) ? 0 : x - *whole, x);
}

double fmin(double x, double y) { return x != x || y < x ? y : x; }
double fmax(double x, double y) { return x != x || y > x ? y : x; }
double fdim(double x, double y) { return x <= y ? 0 : x - y; }
float fminf(float x, float y) { return x != x || y < x ? y : x; }
float fmaxf(float x, float y) { return x != x || y > x ? y : x; }
float fdimf(float x, float y) { return x <= y ? 0 : x - y; }
float fmaf(float x, float y, float z) {
    float result;
    __asm__("fmadd.s %0, %1, %2, %3" : "=f"(result) : "f"(x), "f"(y), "f"(z));
    return result;
}
double nan(const char* tag) { return (void)tag, NAN; }
float nanf(const char* tag) { return (void)tag, NAN; }
