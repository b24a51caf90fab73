/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* Lanczos's approximation, about 15 digits. Source of the coefficients: P. Godfrey, g = 7 and nine terms. */
static double sum_of(double x) {
    static const double coefficients[] = {676.5203681218851,     -1259.1392167224028,  771.32342877765313,
                                          -176.61502916214059,   12.507343278686905,   -0.13857109526572012,
                                          9.9843695780195716e-6, 1.5056327351493116e-7};
    double sum = 0.99999999999980993;
    for (int number = 0; number < 8; ++number) sum += coefficients[number] / (x + number + 1);
    return sum;
}
double tgamma(double x) {
    const double pi = 3.14159265358979311600;
    if (x != x || x == INFINITY) return x;
    if (x == 0) return copysign(INFINITY, x);
    if (x == floor(x)) {
        if (x < 0) return NAN;
        if (x < 24) {
            double product = 1;
            for (double factor = 2; factor < x; ++factor) product *= factor;
            return product;
        }
    }
    if (x < 0.5) return pi / (sin(pi * x) * tgamma(1 - x));
    if (x > 171.7) return INFINITY;
    x -= 1;
    double t = x + 7.5, half = pow(t, (x + 0.5) / 2);
    return 2.50662827463100050242 * half * exp(-t) * half * sum_of(x);
}
double lgamma(double x) {
    const double pi = 3.14159265358979311600;
    if (x != x || isinf(x)) return x * x;
    if (x <= 0 && x == floor(x)) return INFINITY;
    if (x == 1 || x == 2) return 0;
    if (x < 0.5) return log(pi / fabs(sin(pi * x))) - lgamma(1 - x);
    x -= 1;
    double t = x + 7.5;
    return 0.91893853320467274178 + (x + 0.5) * log(t) - t + log(sum_of(x));
}
float tgammaf(float x) { return (float)tgamma(x); }
float lgammaf(float x) { return (float)lgamma(x); }
