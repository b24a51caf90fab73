/* SPDX-License-Identifier: Apache-2.0
 * Source of the method and its constants: FDLIBM, Sun Microsystems, 1993. */
#include "bits.h"

double exp(double x) {
    if (x != x) return x;
    if (x > 709.782712893383973096) return INFINITY;
    if (x < -745.13321910194110842) return 0;
    int k = (int)(x * 1.44269504088896338700e+00 + (x < 0 ? -0.5 : 0.5));
    double high = x - k * 6.93147180369123816490e-01, low = k * 1.90821492927058770002e-10;
    double r = high - low, t = r * r;
    double c = r - t * (1.66666666666666019037e-01 +
                        t * (-2.77777777770155933842e-03 +
                             t * (6.61375632143793436117e-05 +
                                  t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    return scalbn(1 - ((low - (r * c) / (2 - c)) - high), k);
}
double exp2(double x) {
    double whole = rint(x);
    return whole > 2000 || whole < -2000 ? exp(x) : scalbn(exp((x - whole) * 0.69314718055994530942), (int)whole);
}
