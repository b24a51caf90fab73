// Functions of complex numbers, compared with values of equivalent expressions.
// pes: 2
// expect: PASS
#include <complex.h>
#include <math.h>
#include <shmem.h>
#include <stdio.h>

static int failures;

static void near(const char* what, double complex found, double complex expected) {
    if (cabs(found - expected) <= 1e-13 * (1 + cabs(expected))) return;
    printf("FAIL %s: %g%+gi, not %g%+gi\n", what, creal(found), cimag(found), creal(expected), cimag(expected));
    failures++;
}

int main(void) {
    static const double parts[] = {-2.5, -0.5, 0.25, 1.5};
    shmem_init();
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const double complex z = parts[i] + I * parts[j];
            near("sin and cos", csin(z) * csin(z) + ccos(z) * ccos(z), 1);
            near("sinh and cosh", ccosh(z) * ccosh(z) - csinh(z) * csinh(z), 1);
            near("tan", ctan(z), csin(z) / ccos(z));
            near("tanh", ctanh(z), csinh(z) / ccosh(z));
            near("asin", csin(casin(z)), z);
            near("acos", ccos(cacos(z)), z);
            near("atan", ctan(catan(z)), z);
            near("asinh", csinh(casinh(z)), z);
            near("acosh", ccosh(cacosh(z)), z);
            near("atanh", ctanh(catanh(z)), z);
            near("conj", cproj(conj(z)), creal(z) - I * cimag(z));
            if (cabsf(csinf(z) - (float complex)csin(z)) > 1e-5f * cabsf(csin(z))) failures++;
        }
    }
    near("acos", cacos(2), 0 - 1.3169578969248166 * I);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) printf("%s\n", failures ? "FAIL" : "PASS");
    shmem_finalize();
    return failures;
}
