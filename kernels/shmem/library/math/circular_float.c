/* SPDX-License-Identifier: Apache-2.0 */
#include "bits.h"

/* Method of exponential_float.c. Large angles are multiplied by the relevant bits of 4 / pi, as integers (Payne and
 * Hanek). Source of the table and its use: ARM optimized routines, sinf. */
static const uint32_t parts[24] = {0xa2,       0xa2f9,     0xa2f983,   0xa2f9836e, 0xf9836e4e, 0x836e4e44,
                                   0x6e4e4415, 0x4e441529, 0x441529fc, 0x1529fc27, 0x29fc2757, 0xfc2757d1,
                                   0x2757d1f5, 0x57d1f534, 0xd1f534dd, 0xf534ddc0, 0x34ddc0db, 0xddc0db62,
                                   0xc0db6295, 0xdb629599, 0x6295993c, 0x95993c43, 0x993c4390, 0x3c439041};

static int reduced_large(float x, float* rest) {
    uint32_t bits = bits_of_float(x);
    const uint32_t* at = &parts[bits >> 26 & 15];
    uint32_t mantissa = ((bits & 0x7FFFFF) | 0x800000) << (bits >> 23 & 7);
    uint64_t product = (uint64_t)(mantissa * at[0]) << 32 | ((uint64_t)mantissa * at[8]) >> 32;
    product += (uint64_t)mantissa * at[4];
    int quotient = (int)((product + (1ULL << 61)) >> 62);
    product -= (uint64_t)quotient << 62;
    *rest = (float)(int64_t)product * 0x1p-62F * 1.57079632679F;
    if (bits >> 31) {
        *rest = -*rest;
        quotient = -quotient;
    }
    return quotient;
}

static float circular(float x, int turn) {
    if (isinf(x) || x != x) return NAN;
    int quotient;
    float r;
    if (fabsf(x) > 1024) {
        quotient = reduced_large(x, &r);
    } else {
        quotient = (int)(x * 0.636619772F + (x < 0 ? -0.5F : 0.5F));
        r = x - quotient * 1.5703125F;
        r -= quotient * 4.837512969970703125e-4F;
        r -= quotient * 7.54978995489188216e-8F;
    }
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
