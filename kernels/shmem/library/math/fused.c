/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* By way of a long double, whose 113 bits hold the product exactly. Where they do not hold the sum, its last bit
 * becomes 1, so that the second rounding sees on which side of a tie the sum is. */
double fma(double x, double y, double z) {
    long double product = (long double)x * y, other = z, sum = product + other;
    if (isinf(sum) || sum != sum) return (double)sum;
    long double part = sum - product;
    long double error = (product - (sum - part)) + (other - part);
    union {
        long double value;
        uint64_t words[2];
    } both = {sum};
    if (error != 0 && (both.words[0] & 1) == 0) {
        /* Towards zero if the sum is too large, so that the odd value is the neighbour on the side of the exact one. */
        int is_too_large = (error < 0) == (sum > 0);
        if (is_too_large && both.words[0]-- == 0) --both.words[1];
        if (!is_too_large) ++both.words[0];
    }
    return (double)both.value;
}
