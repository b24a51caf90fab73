// pes: 1
// expect: PASS mathematics
#include <math.h>
#include <stdio.h>

static int bad;

static void near(const char *what, double value, double want, double tolerance) {
    if (!(fabs(value - want) <= tolerance * fabs(want))) {
        printf("FAIL %s: %.17g, not %.17g\n", what, value, want);
        ++bad;
    }
}

int main(void) {
    near("sqrt", sqrt(2), 1.41421356237309505, 0);
    near("exp", exp(1), 2.71828182845904524, 3e-16);
    near("log", log(10), 2.30258509299404568, 3e-16);
    near("pow", pow(2, 0.5), 1.41421356237309505, 3e-16);
    near("pow", pow(-3, 5), -243, 0);
    near("pow", pow(10, -3), 1e-3, 3e-16);
    near("sin", sin(1), 0.841470984807896507, 3e-16);
    near("cos", cos(100), 0.862318872287683934, 3e-16);
    near("tan", tan(0.5), 0.546302489843790514, 5e-16);
    near("atan2", atan2(-1, -1), -2.35619449019234493, 3e-16);
    near("asin", asin(0.25), 0.252680255142078653, 5e-16);
    near("acos", acos(-0.5), 2.09439510239319549, 5e-16);
    near("cbrt", cbrt(-27), -3, 3e-16);
    near("hypot", hypot(3, 4), 5, 0);
    near("fmod", fmod(-7.5, 2), -1.5, 0);
    near("tanh", tanh(0.1), 0.0996679946249558171, 5e-16);
    near("floor", floor(-1.5) + ceil(-1.5) + trunc(-1.5) + round(-1.5), -2 - 1 - 1 - 2, 0);
    near("log10", log10(1000), 3, 0);
    near("sinf", sinf(2), 0.909297427, 2e-7);
    near("expf", expf(-3), 0.0497870684, 2e-7);
    near("logf", logf(0.1f), -2.30258509, 2e-7);
    near("sqrtf", sqrtf(3), 1.73205081, 6e-8);
    near("powf", powf(1.5f, 3.5f), 4.13351394, 6e-8);
    near("ldexp", ldexp(0.75, 4), 12, 0);
    int exponent;
    near("frexp", frexp(48, &exponent) * exponent, 0.75 * 6, 0);
    bad += !isnan(sqrt(-1)) || !isinf(exp(1000)) || signbit(fabs(-0.0)) || isfinite(INFINITY);
    puts(bad ? "FAIL" : "PASS mathematics");
    return 0;
}
