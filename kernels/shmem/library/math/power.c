/* SPDX-License-Identifier: Apache-2.0
 * Source of the method and its constants: FDLIBM, Sun Microsystems, 1993. */
#include "bits.h"

/* The logarithm is a sum of two doubles, for more bits than one double has. */
static double positive_power(double x, double y) {
    int n;
    double f = 2 * frexp(x, &n);
    --n;
    int k = 0;
    if (f >= 1.73205080756887729353) {
        ++n;
        f *= 0.5;
    } else if (f >= 1.22474487139158904910) {
        k = 1;
    }
    double base = k ? 1.5 : 1.0;
    double u = f - base, v = 1 / (f + base), ss = u * v;
    double s_h = without_low_word(ss);
    double t_h = without_low_word(f + base), t_l = f - (t_h - base);
    double s_l = v * ((u - s_h * t_h) - s_h * t_l);
    double s2 = ss * ss;
    double r = s2 * s2 *
               (5.99999999999994648725e-01 +
                s2 * (4.28571428578550184252e-01 +
                      s2 * (3.33333329818377432918e-01 +
                            s2 * (2.72728123808534006489e-01 +
                                  s2 * (2.30660745775561754067e-01 + s2 * 2.06975017800338417784e-01)))));
    r += s_l * (s_h + ss);
    s2 = s_h * s_h;
    t_h = without_low_word(3.0 + s2 + r);
    t_l = r - ((t_h - 3.0) - s2);
    u = s_h * t_h;
    v = s_l * t_h + t_l * ss;
    double p_h = without_low_word(u + v), p_l = v - (p_h - u);
    double z_h = 9.61796700954437255859e-01 * p_h;
    double z_l =
        -7.02846165095275826516e-09 * p_h + p_l * 9.61796693925975554329e-01 + (k ? 1.35003920212974897128e-08 : 0);
    double shift = k ? 5.84962487220764160156e-01 : 0;
    double t1 = without_low_word(((z_h + z_l) + shift) + n);
    double t2 = z_l - (((t1 - n) - shift) - z_h);
    double y1 = without_low_word(y);
    p_l = (y - y1) * t1 + y * t2;
    p_h = y1 * t1;
    double z = p_l + p_h;
    if (z >= 1024.0) {
        if (z > 1024.0 || p_l + 8.0085662595372944372e-17 > z - p_h) return INFINITY;
    }
    if (z <= -1075.0) {
        if (z < -1075.0 || p_l <= z - p_h) return 0;
    }
    int m = (int)rint(z);
    p_h -= m;
    double t = without_low_word(p_l + p_h);
    u = t * 6.93147182464599609375e-01;
    v = (p_l - (t - p_h)) * 6.93147180559945286227e-01 + t * -1.90465429995776804525e-09;
    z = u + v;
    double w = v - (z - u);
    t = z * z;
    t1 = z - t * (1.66666666666666019037e-01 +
                  t * (-2.77777777770155933842e-03 +
                       t * (6.61375632143793436117e-05 +
                            t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    r = (z * t1) / (t1 - 2) - (w + z * w);
    return scalbn(1 - (r - z), m);
}

double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return NAN;
    int is_whole = rint(y) == y;
    int is_odd = is_whole && fabs(y) < 0x1p53 && rint(y / 2) != y / 2;
    double magnitude = fabs(x), result;
    if (isinf(y)) {
        result = magnitude == 1 ? 1 : (magnitude > 1) == (y > 0) ? INFINITY : 0;
    } else if (magnitude == 0 || isinf(magnitude)) {
        result = (magnitude == 0) == (y > 0) ? 0 : INFINITY;
    } else {
        if (x < 0 && !is_whole) return NAN;
        result = fabs(y) > 0x1p64 ? (magnitude == 1               ? 1
                                     : (magnitude > 1) == (y > 0) ? INFINITY
                                                                  : 0)
                                  : positive_power(magnitude, y);
    }
    return signbit(x) && is_odd ? -result : result;
}
