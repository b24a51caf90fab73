/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* Computes in long double, whose 113 bits hold the product exactly. If they do not hold the sum, the last bit of the
 * sum is set to 1, so that the second rounding knows on which side of a tie the sum is. */
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
        /* Steps towards zero if the sum is too large: the odd neighbour must be on the side of the exact value. */
        int is_too_large = (error < 0) == (sum > 0);
        if (is_too_large && both.words[0]-- == 0) --both.words[1];
        if (!is_too_large) ++both.words[0];
    }
    return (double)both.value;
}
