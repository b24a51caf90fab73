/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* Uses only float instructions: Cody and Waite's reduction, and polynomials of Cephes (Moshier). */
float expf(float x) {
    if (x != x) return x;
    if (x > 88.7228394F) return INFINITY;
    if (x < -103.972084F) return 0;
    int k = (int)(x * 1.44269504F + (x < 0 ? -0.5F : 0.5F));
    float r = x - k * 0.693359375F;
    r -= k * -2.12194440e-4F;
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    float value = p * r * r + r + 1;
    /* Scales in two steps: both factors must be normal numbers. */
    int half = k / 2;
    return value * float_of_bits((uint32_t)(half + 127) << 23) * float_of_bits((uint32_t)(k - half + 127) << 23);
}
