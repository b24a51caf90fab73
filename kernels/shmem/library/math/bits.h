/* SPDX-License-Identifier: Apache-2.0
 * Floating-point values as bits. */
#ifndef NOCBENCH_LIBRARY_MATH_BITS_H
#define NOCBENCH_LIBRARY_MATH_BITS_H

#include <math.h>
#include <stdint.h>

static inline uint64_t bits_of(double x) {
    union {
        double value;
        uint64_t bits;
    } both = {x};
    return both.bits;
}
static inline double of_bits(uint64_t bits) {
    union {
        uint64_t bits;
        double value;
    } both = {bits};
    return both.value;
}
static inline uint32_t bits_of_float(float x) {
    union {
        float value;
        uint32_t bits;
    } both = {x};
    return both.bits;
}
static inline float float_of_bits(uint32_t bits) {
    union {
        uint32_t bits;
        float value;
    } both = {bits};
    return both.value;
}
static inline uint32_t high_word(double x) { return bits_of(x) >> 32; }
static inline int exponent_of(double x) { return high_word(x) >> 20 & 0x7FF; }
static inline double without_low_word(double x) { return of_bits(bits_of(x) & 0xFFFFFFFF00000000ULL); }

#endif
