/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* Computes bit by bit, to the nearest value: the core has no square-root instruction. */
float sqrtf(float x) {
    uint32_t bits = bits_of_float(x);
    int exponent = bits >> 23 & 0xFF;
    uint32_t fraction = bits & 0x7FFFFF;
    if (x == 0 || x != x || exponent == 0xFF) return x < 0 ? NAN : x;
    if (bits >> 31) return NAN;
    if (exponent == 0) {
        int shift = __builtin_clz(fraction) - 8;
        fraction <<= shift;
        exponent = 1 - shift;
    } else {
        fraction |= 1U << 23;
    }
    exponent -= 127;
    if (exponent & 1) {
        fraction <<= 1;
        --exponent;
    }
    uint32_t rest = fraction, root = 0, tested = 0;
    for (uint32_t bit = 1U << 23; bit != 0; bit >>= 1) {
        uint32_t with = tested + bit;
        if (with <= rest) {
            tested = with + bit;
            rest -= with;
            root += bit;
        }
        rest <<= 1;
    }
    if (rest > tested) ++root;
    return float_of_bits(((uint32_t)(exponent / 2 + 126) << 23) + root);
}
