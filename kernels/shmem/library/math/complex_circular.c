/* SPDX-License-Identifier: Apache-2.0
 * Circular and hyperbolic functions of complex numbers. Inverse functions follow Kahan: real and
 * imaginary parts are computed from square roots whose products do not cancel. */
#include <complex.h>
#include <math.h>

#define TURNED(z) __builtin_complex(-__imag__(z), __real__(z))
#define TURNED_BACK(z) __builtin_complex(__imag__(z), -__real__(z))

#define OF_TYPE(T, suffix)                                                                                          \
    T _Complex csinh##suffix(T _Complex z) {                                                                        \
        T x = __real__ z, y = __imag__ z;                                                                           \
        return __builtin_complex(sinh##suffix(x) * cos##suffix(y), cosh##suffix(x) * sin##suffix(y));               \
    }                                                                                                               \
    T _Complex ccosh##suffix(T _Complex z) {                                                                        \
        T x = __real__ z, y = __imag__ z;                                                                           \
        return __builtin_complex(cosh##suffix(x) * cos##suffix(y), sinh##suffix(x) * sin##suffix(y));               \
    }                                                                                                               \
    T _Complex ctanh##suffix(T _Complex z) {                                                                        \
        T x = __real__ z, y = __imag__ z;                                                                           \
        if (fabs##suffix(x) > 40) return __builtin_complex(copysign##suffix(1, x), (T)0 * y);                       \
        T sine = sinh##suffix(x), cosine = cos##suffix(y), size = sine * sine + cosine * cosine;                    \
        return __builtin_complex(sine * cosh##suffix(x) / size, cosine * sin##suffix(y) / size);                    \
    }                                                                                                               \
    T _Complex csin##suffix(T _Complex z) {                                                                         \
        T _Complex value = csinh##suffix(TURNED(z));                                                                \
        return TURNED_BACK(value);                                                                                  \
    }                                                                                                               \
    T _Complex ccos##suffix(T _Complex z) { return ccosh##suffix(TURNED(z)); }                                      \
    T _Complex ctan##suffix(T _Complex z) {                                                                         \
        T _Complex value = ctanh##suffix(TURNED(z));                                                                \
        return TURNED_BACK(value);                                                                                  \
    }                                                                                                               \
    T _Complex casinh##suffix(T _Complex z) {                                                                       \
        T _Complex value = casin##suffix(TURNED(z));                                                                \
        return TURNED_BACK(value);                                                                                  \
    }                                                                                                               \
    T _Complex casin##suffix(T _Complex z) {                                                                        \
        T _Complex less = csqrt##suffix(__builtin_complex(1 - __real__ z, -__imag__ z));                            \
        T _Complex more = csqrt##suffix(__builtin_complex(1 + __real__ z, __imag__ z));                             \
        return __builtin_complex(                                                                                   \
            atan2##suffix(__real__ z, __real__(less) * __real__(more) - __imag__(less) * __imag__(more)),           \
            asinh##suffix(__real__(less) * __imag__(more) - __imag__(less) * __real__(more)));                      \
    }                                                                                                               \
    T _Complex cacos##suffix(T _Complex z) {                                                                        \
        T _Complex less = csqrt##suffix(__builtin_complex(1 - __real__ z, -__imag__ z));                            \
        T _Complex more = csqrt##suffix(__builtin_complex(1 + __real__ z, __imag__ z));                             \
        return __builtin_complex(2 * atan2##suffix(__real__(less), __real__(more)),                                 \
                                 asinh##suffix(__real__(more) * __imag__(less) - __imag__(more) * __real__(less))); \
    }                                                                                                               \
    T _Complex cacosh##suffix(T _Complex z) {                                                                       \
        T _Complex less = csqrt##suffix(__builtin_complex(__real__ z - 1, __imag__ z));                             \
        T _Complex more = csqrt##suffix(__builtin_complex(__real__ z + 1, __imag__ z));                             \
        return __builtin_complex(asinh##suffix(__real__(less) * __real__(more) + __imag__(less) * __imag__(more)),  \
                                 2 * atan2##suffix(__imag__(less), __real__(more)));                                \
    }                                                                                                               \
    T _Complex catanh##suffix(T _Complex z) {                                                                       \
        T x = __real__ z, y = __imag__ z;                                                                           \
        T less = (1 - x) * (1 - x) + y * y;                                                                         \
        return __builtin_complex(log1p##suffix(4 * x / less) / 4,                                                   \
                                 atan2##suffix(2 * y, (1 - x) * (1 + x) - y * y) / 2);                              \
    }                                                                                                               \
    T _Complex catan##suffix(T _Complex z) {                                                                        \
        T _Complex value = catanh##suffix(TURNED(z));                                                               \
        return TURNED_BACK(value);                                                                                  \
    }
OF_TYPE(double, )
OF_TYPE(float, f)
OF_TYPE(long double, l)
