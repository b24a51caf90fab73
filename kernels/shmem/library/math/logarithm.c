/* SPDX-License-Identifier: Apache-2.0
 * Source of the method and its constants: FDLIBM, Sun Microsystems, 1993. */
#include "bits.h"

double log(double x) {
    if (x != x || x == INFINITY) return x;
    if (x <= 0) return x == 0 ? -INFINITY : NAN;
    int k;
    double f = frexp(x, &k);
    if (f < 0.70710678118654752440) {
        f *= 2;
        --k;
    }
    f -= 1;
    double s = f / (2 + f), z = s * s;
    double r = z * (6.666666666666735130e-01 +
                    z * (3.999999999940941908e-01 +
                         z * (2.857142874366239149e-01 +
                              z * (2.222219843214978396e-01 +
                                   z * (1.818357216161805012e-01 +
                                        z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01))))));
    double half = 0.5 * f * f;
    return k * 6.93147180369123816490e-01 - ((half - (s * (half + r) + k * 1.90821492927058770002e-10)) - f);
}
