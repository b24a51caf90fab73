/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* Method of exponential_float.c. */
float logf(float x) {
    if (x != x || x == INFINITY) return x;
    if (x <= 0) return x == 0 ? -INFINITY : NAN;
    int k = 0;
    if (x < 0x1p-126F) {
        x *= 0x1p23F;
        k = -23;
    }
    uint32_t bits = bits_of_float(x);
    k += (int)(bits >> 23) - 126;
    float f = float_of_bits((bits & 0x7FFFFF) | 0x3F000000);
    if (f < 0.707106781F) {
        --k;
        f += f;
    }
    f -= 1;
    float z = f * f;
    float y = 7.0376836292e-2F;
    y = y * f - 1.1514610310e-1F;
    y = y * f + 1.1676998740e-1F;
    y = y * f - 1.2420140846e-1F;
    y = y * f + 1.4249322787e-1F;
    y = y * f - 1.6668057665e-1F;
    y = y * f + 2.0000714765e-1F;
    y = y * f - 2.4999993993e-1F;
    y = y * f + 3.3333331174e-1F;
    y *= f * z;
    y += -2.12194440e-4F * k;
    y -= 0.5F * z;
    return f + y + 0.693359375F * k;
}
