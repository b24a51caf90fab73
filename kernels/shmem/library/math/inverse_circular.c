/* SPDX-License-Identifier: Apache-2.0
 * Source of the method and its constants: FDLIBM, Sun Microsystems, 1993. */
#include "bits.h"

static const double high_parts[] = {4.63647609000806093515e-01, 7.85398163397448278999e-01, 9.82793723247329054082e-01,
                                    1.57079632679489655800e+00};
static const double low_parts[] = {2.26987774529616870924e-17, 3.06161699786838301793e-17, 1.39033110312309984516e-17,
                                   6.12323399573676603587e-17};
static const double coefficients[] = {
    3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01, -1.11111104054623557880e-01,
    9.09088713343650656196e-02, -7.69187620504482999495e-02, 6.66107313738753120669e-02, -5.83357013379057348645e-02,
    4.97687799461593236017e-02, -3.65315727442169155270e-02, 1.62858201153657823623e-02};

double atan(double x) {
    double y = fabs(x);
    if (x != x) return x;
    int part = -1;
    if (y >= 0x1p66) return copysign(high_parts[3], x);
    if (y >= 2.4375) {
        part = 3;
        y = -1 / y;
    } else if (y >= 1.1875) {
        part = 2;
        y = (y - 1.5) / (1 + 1.5 * y);
    } else if (y >= 0.6875) {
        part = 1;
        y = (y - 1) / (y + 1);
    } else if (y >= 0.4375) {
        part = 0;
        y = (2 * y - 1) / (2 + y);
    }
    double z = y * y, sum = 0;
    for (int number = 10; number >= 0; --number) sum = sum * z + coefficients[number];
    sum *= z;
    double result = part < 0 ? y - y * sum : high_parts[part] - ((y * sum - low_parts[part]) - y);
    return copysign(result, x);
}
double atan2(double y, double x) {
    const double pi = 3.14159265358979311600, low = 1.2246467991473531772e-16;
    if (x != x || y != y) return NAN;
    if (y == 0) return signbit(x) ? copysign(pi, y) : y;
    if (x == 0) return copysign(pi / 2, y);
    if (isinf(x)) {
        double part = isinf(y) ? pi / 4 : 0;
        return copysign(x < 0 ? pi - part : part, y);
    }
    if (isinf(y)) return copysign(pi / 2, y);
    double angle = atan(fabs(y / x));
    return copysign(x < 0 ? pi - (angle - low) : angle, y);
}
double asin(double x) {
    if (fabs(x) > 1) return NAN;
    return fabs(x) < 1e-8 ? x : atan2(x, sqrt((1 - x) * (1 + x)));
}
double acos(double x) { return fabs(x) > 1 ? NAN : 2 * atan2(sqrt(1 - x), sqrt(1 + x)); }
