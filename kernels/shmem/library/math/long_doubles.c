/* SPDX-License-Identifier: Apache-2.0
 * As exact as those of double: on the chip, both are the same. */
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
TWO(pow)
TWO(fmod)
TWO(hypot)
TWO(atan2)
long double fabsl(long double x) { return __builtin_signbit(x) ? -x : x; }
long double copysignl(long double x, long double y) { return __builtin_signbit(x) == __builtin_signbit(y) ? x : -x; }
long double fminl(long double x, long double y) { return x != x || y < x ? y : x; }
long double fmaxl(long double x, long double y) { return x != x || y > x ? y : x; }
long double strtold(const char* text, char** end) { return strtod(text, end); }
