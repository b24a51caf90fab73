/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* Computes bit by bit, to the nearest value. */
double sqrt(double x) {
    uint64_t bits = bits_of(x);
    int exponent = bits >> 52 & 0x7FF;
    uint64_t fraction = bits & 0xFFFFFFFFFFFFFULL;
    if (x == 0 || x != x || exponent == 0x7FF) return x < 0 ? NAN : x;
    if (bits >> 63) return NAN;
    if (exponent == 0) {
        int shift = __builtin_clzll(fraction) - 11;
        fraction <<= shift;
        exponent = 1 - shift;
    } else {
        fraction |= 1ULL << 52;
    }
    exponent -= 1023;
    if (exponent & 1) {
        fraction <<= 1;
        --exponent;
    }
    uint64_t rest = fraction, root = 0, tested = 0, bit = 1ULL << 52;
    for (; bit != 0; bit >>= 1) {
        uint64_t with = tested + bit;
        if (with <= rest) {
            tested = with + bit;
            rest -= with;
            root += bit;
        }
        rest <<= 1;
    }
    /* The next bit rounds: an inexact root is never midway between two values. */
    if (rest > tested) ++root;
    return of_bits(((uint64_t)(exponent / 2 + 1022) << 52) + root);
}
