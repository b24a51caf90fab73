/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* Returns exp(-x * x). Splits x into two parts, so that the square of the high part is exact. */
static double bell(double x) {
    double high = without_low_word(x);
    return exp(-high * high) * exp((high - x) * (high + x));
}
/* Returns 2 / sqrt(pi) * exp(-x^2) * (x + 2 x^3 / 3 + 4 x^5 / 15 + ...). All terms are positive. */
static double series(double x) {
    double term = x, sum = x;
    for (int n = 1; term > sum * 1e-17; ++n) {
        term *= 2 * x * x / (2 * n + 1);
        sum += term;
    }
    return sum * bell(x) * 1.12837916709551257390;
}
/* Returns Laplace's continued fraction, from the inside out, with enough terms for arguments from 1.5 on. */
static double fraction(double x) {
    double value = 0;
    for (int n = 120; n > 0; --n) value = n * 0.5 / (x + value);
    return bell(x) / (x + value) * 0.56418958354775628695;
}
double erf(double x) {
    double y = fabs(x);
    if (x != x || y < 1e-150) return x * 1.12837916709551257390;
    return copysign(y > 6 ? 1 : y < 2 ? series(y) : 1 - fraction(y), x);
}
double erfc(double x) {
    if (x < 0) return 2 - erfc(-x);
    if (x != x) return x;
    return x > 27.3 ? 0 : x < 1.5 ? 1 - erf(x) : fraction(x);
}
float erff(float x) { return (float)erf(x); }
float erfcf(float x) { return (float)erfc(x); }
