/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* As in exponential_float.c; angles above 8192 by way of double. */
static float circular(float x, int turn) {
    if (isinf(x) || x != x) return NAN;
    if (fabsf(x) > 8192) return (float)(turn ? cos(x) : sin(x));
    int quotient = (int)(x * 0.636619772F + (x < 0 ? -0.5F : 0.5F));
    float r = x - quotient * 1.5703125F;
    r -= quotient * 4.837512969970703125e-4F;
    r -= quotient * 7.54978995489188216e-8F;
    int quadrant = (quotient + turn) & 3;
    float z = r * r, value;
    if (quadrant & 1) {
        value =
            ((2.443315711809948e-5F * z - 1.388731625493765e-3F) * z + 4.166664568298827e-2F) * z * z - 0.5F * z + 1;
    } else {
        value = ((-1.9515295891e-4F * z + 8.3321608736e-3F) * z - 1.6666654611e-1F) * z * r + r;
    }
    return quadrant & 2 ? -value : value;
}
float sinf(float x) { return x == 0 ? x : circular(x, 0); }
float cosf(float x) { return circular(x, 1); }
float tanf(float x) { return x == 0 ? x : circular(x, 0) / circular(x, 1); }
