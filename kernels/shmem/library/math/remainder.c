/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* Subtracts shifted divisors, as in long division: the result is exact. */
double fmod(double x, double y) {
    double rest = fabs(x), divisor = fabs(y);
    if (x != x || y != y || isinf(x) || y == 0) return NAN;
    while (rest >= divisor) {
        int shift = ilogb(rest) - ilogb(divisor);
        double part = scalbn(divisor, shift);
        if (part > rest) part = scalbn(divisor, shift - 1);
        rest -= part;
    }
    return copysign(rest, x);
}
double remquo(double x, double y, int* quotient) {
    double rest = fabs(fmod(x, 2 * y));
    double divisor = fabs(y);
    int count = (int)fmod((fabs(x) - rest) / divisor, 8);
    if (rest > divisor || (rest == divisor)) {
        rest -= divisor;
        ++count;
    }
    if (rest > divisor / 2 || (rest == divisor / 2 && (count & 1))) {
        rest -= divisor;
        ++count;
    }
    *quotient = (x < 0) == (y < 0) ? count : -count;
    return x < 0 ? -rest : rest;
}
double remainder(double x, double y) {
    int quotient;
    return remquo(x, y, &quotient);
}
float fmodf(float x, float y) { return (float)fmod(x, y); }
float remainderf(float x, float y) { return (float)remainder(x, y); }
float remquof(float x, float y, int* quotient) { return (float)remquo(x, y, quotient); }
