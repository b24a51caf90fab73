/* SPDX-License-Identifier: Apache-2.0
 * Source of the method and its constants: FDLIBM, Sun Microsystems, 1993. */
#include "bits.h"

/* Computes high + low = x - quotient * pi / 2. The parts of pi / 2 have exact products with the quotient. */
static int reduced(double x, double* high, double* low) {
    double quotient = rint(x * 6.36619772367581382433e-01);
    double t = x - quotient * 1.57079632673412561417e+00;
    double w = quotient * 6.07710050630396597660e-11;
    double r = t - w;
    w = quotient * 2.02226624879595063154e-21 - ((t - r) - w);
    *high = r - w;
    *low = (r - *high) - w;
    return (int)(quotient - 4 * floor(quotient / 4));
}
static double sine(double x, double y) {
    double z = x * x, v = z * x;
    double r =
        8.33333333332248946124e-03 +
        z * (-1.98412698298579493134e-04 +
             z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01);
}
static double cosine(double x, double y) {
    double z = x * x;
    double r = z * (4.16666666666666019037e-02 +
                    z * (-1.38888888888741095749e-03 +
                         z * (2.48015872894767294178e-05 +
                              z * (-2.75573143513906633035e-07 +
                                   z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
    double half = 0.5 * z, w = 1 - half;
    return w + (((1 - w) - half) + (z * r - x * y));
}
static double circular(double x, int turn) {
    double high, low;
    int quadrant = (reduced(x, &high, &low) + turn) & 3;
    double value = quadrant & 1 ? cosine(high, low) : sine(high, low);
    return quadrant & 2 ? -value : value;
}
double sin(double x) { return isinf(x) ? NAN : x == 0 ? x : circular(x, 0); }
double cos(double x) { return isinf(x) ? NAN : circular(x, 1); }
double tan(double x) { return x == 0 ? x : sin(x) / cos(x); }
