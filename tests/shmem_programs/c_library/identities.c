// pes: 16
// expect: PASS identities
// Functions of math.h on all PEs, compared with identities and known values, in float and double.
#include <float.h>
#include <math.h>
#include <shmem.h>
#include <stdio.h>

static int wrong;
static void near(double found, double expected, double tolerance, int line) {
    if (!(fabs(found - expected) <= tolerance * fmax(1.0, fabs(expected)))) {
        wrong++;
        printf("line %d: expected %.17g, found %.17g\n", line, expected, found);
    }
}
#define NEAR(found, expected) near(found, expected, 4e-16 * 4, __LINE__)
#define NEARF(found, expected) near(found, expected, 2e-7 * 4, __LINE__)

int main(void) {
    shmem_init();
    double x = 0.1 + 0.37 * shmem_my_pe();
    NEAR(sin(x) * sin(x) + cos(x) * cos(x), 1);
    NEAR(tan(x) * cos(x), sin(x));
    NEAR(exp(log(x)), x);
    NEAR(sqrt(x) * sqrt(x), x);
    NEAR(pow(x, 3), x * x * x);
    NEAR(atan2(sin(x / 3), cos(x / 3)), x / 3);
    NEAR(cosh(x / 4) * cosh(x / 4) - sinh(x / 4) * sinh(x / 4), 1);
    NEAR(log10(1000), 3);
    NEAR(log2(0.125), -3);
    NEAR(hypot(3e100, 4e100), 5e100);
    NEAR(cbrt(-27), -3);
    NEAR(fmod(7.5, 2), 1.5);
    NEAR(floor(-1.5) + ceil(-1.5) + trunc(-1.5) + round(-1.5), -6);
    NEAR(ldexp(0.75, 4), 12);
    NEAR(asin(1) + acos(1), M_PI_2);
    NEARF(sinf(x) * sinf(x) + cosf(x) * cosf(x), 1);
    NEARF(expf(1), M_E);
    NEARF(powf(2, 0.5f), sqrtf(2));
    NEARF(logf(expf(2)), 2);
    NEARF(fabsf(-2.5f) + floorf(2.5f) + fmaxf(1, 2), 6.5f);
    int exponent;
    NEAR(frexp(48, &exponent) * 64 + exponent, 54);
    wrong += !isnan(sqrt(-1.0)) || !isinf(1 / 0.0 * x) || signbit(-0.0) == 0 || isfinite(HUGE_VAL);
    static int sum;
    shmem_int_add(&sum, wrong, 0);
    shmem_barrier_all();
    int status = sum != 0;
    if (shmem_my_pe() == 0) printf("%s identities\n", status ? "FAIL" : "PASS");
    shmem_finalize();
    return wrong != 0;
}
