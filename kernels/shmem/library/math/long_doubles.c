/* SPDX-License-Identifier: Apache-2.0
 * Functions with the accuracy of double: on the chip, double and long double are equal. */
#include <math.h>
#include <stdlib.h>

#define ONE(name) \
    long double name##l(long double x) { return name((double)x); }
#define TWO(name) \
    long double name##l(long double x, long double y) { return name((double)x, (double)y); }
ONE(sqrt)
ONE(cbrt)
ONE(exp)
ONE(exp2)
ONE(expm1)
ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(floor)
ONE(ceil)
ONE(trunc)
ONE(round)
ONE(rint)
ONE(nearbyint)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(erf)
ONE(erfc)
ONE(lgamma)
ONE(tgamma)
ONE(logb)
TWO(pow)
TWO(fmod)
TWO(hypot)
TWO(atan2)
TWO(remainder)
#define INTEGER(T, name) \
    T name##l(long double x) { return name((double)x); }
INTEGER(int, ilogb)
INTEGER(long, lrint)
INTEGER(long, lround)
INTEGER(long long, llrint)
INTEGER(long long, llround)
long double remquol(long double x, long double y, int* quotient) { return remquo((double)x, (double)y, quotient); }
long double scalbnl(long double x, int exponent) { return scalbn((double)x, exponent); }
long double scalblnl(long double x, long exponent) { return scalbln((double)x, exponent); }
long double ldexpl(long double x, int exponent) { return ldexp((double)x, exponent); }
long double frexpl(long double x, int* exponent) { return frexp((double)x, exponent); }
long double modfl(long double x, long double* whole) {
    double part, fraction = modf((double)x, &part);
    *whole = part;
    return fraction;
}
long double fmal(long double x, long double y, long double z) { return fma((double)x, (double)y, (double)z); }
long double fdiml(long double x, long double y) { return x <= y ? 0 : x - y; }
long double nanl(const char* tag) { return nan(tag); }
long double nextafterl(long double x, long double y) { return nextafter((double)x, (double)y); }
long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }
double nexttoward(double x, long double y) { return nextafter(x, (double)y); }
float nexttowardf(float x, long double y) { return x == y ? (float)y : nextafterf(x, x < y ? INFINITY : -INFINITY); }
long double fabsl(long double x) { return __builtin_signbit(x) ? -x : x; }
long double copysignl(long double x, long double y) { return __builtin_signbit(x) == __builtin_signbit(y) ? x : -x; }
long double fminl(long double x, long double y) { return x != x || y < x ? y : x; }
long double fmaxl(long double x, long double y) { return x != x || y > x ? y : x; }
long double strtold(const char* text, char** end) { return strtod(text, end); }
