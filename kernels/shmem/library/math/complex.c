/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <math.h>

#define OF_TYPE(T, suffix)                                                                                             \
    T creal##suffix(T _Complex z) { return __real__ z; }                                                               \
    T cimag##suffix(T _Complex z) { return __imag__ z; }                                                               \
    T cabs##suffix(T _Complex z) { return hypot##suffix(__real__ z, __imag__ z); }                                     \
    T carg##suffix(T _Complex z) { return atan2##suffix(__imag__ z, __real__ z); }                                     \
    T _Complex conj##suffix(T _Complex z) { return __builtin_complex(__real__ z, -__imag__ z); }                       \
    T _Complex cproj##suffix(T _Complex z) {                                                                           \
        return isinf(__real__ z) || isinf(__imag__ z)                                                                  \
                   ? __builtin_complex((T)INFINITY, copysign##suffix(0, __imag__ z))                                   \
                   : z;                                                                                                \
    }                                                                                                                  \
    T _Complex cexp##suffix(T _Complex z) {                                                                            \
        T size = exp##suffix(__real__ z);                                                                              \
        return __builtin_complex(size * cos##suffix(__imag__ z), size * sin##suffix(__imag__ z));                      \
    }                                                                                                                  \
    T _Complex clog##suffix(T _Complex z) { return __builtin_complex(log##suffix(cabs##suffix(z)), carg##suffix(z)); } \
    T _Complex cpow##suffix(T _Complex z, T _Complex exponent) {                                                       \
        return z == 0 ? __builtin_complex((T)(exponent == 0), (T)0) : cexp##suffix(exponent * clog##suffix(z));        \
    }                                                                                                                  \
    T _Complex csqrt##suffix(T _Complex z) {                                                                           \
        T size = cabs##suffix(z), real = sqrt##suffix((size + fabs##suffix(__real__ z)) / 2);                          \
        if (size == 0) return z;                                                                                       \
        if (__real__ z >= 0) return __builtin_complex(real, __imag__ z / (2 * real));                                  \
        return __builtin_complex(fabs##suffix(__imag__ z) / (2 * real), copysign##suffix(real, __imag__ z));           \
    }
OF_TYPE(double, )
OF_TYPE(float, f)
OF_TYPE(long double, l)
