/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

double log10(double x) {
    double value = log(x) * 4.34294481903251816668e-01;
    double whole = rint(value);
    /* Logarithms of powers of ten are exact. */
    if (value != whole && fabs(value - whole) < 1e-12 && whole > 0 && whole < 23) {
        double power = 1;
        for (int count = (int)whole; count > 0; --count) power *= 10;
        if (power == x) return whole;
    }
    return value;
}
double log2(double x) {
    int exponent;
    double fraction = frexp(x, &exponent);
    if (x <= 0 || x != x || isinf(x)) return log(x);
    if (fraction < 0.70710678118654752440) {
        fraction *= 2;
        --exponent;
    }
    return exponent + log(fraction) * 1.44269504088896338700;
}
/* Method of Kahan: the rounding error of 1 + x cancels. */
double log1p(double x) {
    double sum = 1 + x;
    if (sum == 1) return x;
    return isinf(sum) ? sum : log(sum) * (x / (sum - 1));
}
double expm1(double x) {
    double value = exp(x);
    if (value == 1) return x;
    double less = value - 1;
    if (less == -1 || isinf(value)) return less;
    return fabs(x) > 40 ? less : less * (x / log(value));
}
double sinh(double x) {
    double t = expm1(fabs(x));
    if (isinf(t)) return copysign(exp(fabs(x) / 2) / 2 * exp(fabs(x) / 2), x);
    return copysign(t < 1e-300 ? fabs(x) : (t + t / (t + 1)) / 2, x);
}
double cosh(double x) {
    double t = exp(fabs(x));
    if (isinf(t)) return exp(fabs(x) / 2) / 2 * exp(fabs(x) / 2);
    return t / 2 + 0.5 / t;
}
double tanh(double x) {
    double y = fabs(x);
    if (y > 22) return copysign(1, x);
    double t = expm1(2 * y);
    return x != x ? x : copysign(y < 1e-300 ? y : t / (t + 2), x);
}
double asinh(double x) {
    double y = fabs(x);
    if (y > 0x1p28) return copysign(log(y) + 0.69314718055994530942, x);
    return copysign(log1p(y + y * y / (1 + sqrt(1 + y * y))), x);
}
double acosh(double x) {
    if (x > 0x1p28) return log(x) + 0.69314718055994530942;
    double t = x - 1;
    return log1p(t + sqrt(2 * t + t * t));
}
double atanh(double x) { return copysign(log1p(2 * fabs(x) / (1 - fabs(x))) / 2, x); }
double cbrt(double x) {
    if (x == 0 || x != x || isinf(x)) return x;
    int exponent;
    double f = frexp(fabs(x), &exponent);
    int rest = exponent % 3;
    if (rest != 0) {
        rest = rest > 0 ? rest - 3 : rest;
        f = scalbn(f, rest);
    }
    double r = 0.48 + 0.55 * f;
    if (f < 0.5) r = 0.35 + 0.85 * f;
    for (int count = 0; count < 6; ++count) r -= (r - f / (r * r)) / 3;
    return copysign(scalbn(r, (exponent - rest) / 3), x);
}
double hypot(double x, double y) {
    double a = fabs(x), b = fabs(y);
    if (isinf(a) || isinf(b)) return INFINITY;
    if (b > a) {
        double kept = a;
        a = b;
        b = kept;
    }
    if (b == 0) return a;
    int scale = 0;
    if (a > 0x1p500) scale = 600;
    if (b < 0x1p-500) scale = -600;
    a = scalbn(a, -scale);
    b = scalbn(b, -scale);
    return scalbn(sqrt(a * a + b * b), scale);
}
