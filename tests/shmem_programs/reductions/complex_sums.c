// pes: 9
// expect: PASS complex_sums
// Reductions of complex numbers in float and double.
#include <complex.h>
#include <shmem.h>
#include <stdio.h>

float complex cf[3], rf[3], wf[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
double complex cd[3], rd[3], wd[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
long p1[SHMEM_REDUCE_SYNC_SIZE], p2[SHMEM_REDUCE_SYNC_SIZE];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), ok = 1;
    for (int i = 0; i < 3; i++) {
        cf[i] = me + i * I;
        cd[i] = (me % 4 == 0 ? 1.0 : me % 4 == 1 ? -1.0 : 0.0) + (me % 4 == 2 ? 1.0 : me % 4 == 3 ? -1.0 : 0.0) * I;
    }
    shmem_barrier_all();
    shmem_complexf_sum_to_all(rf, cf, 3, 0, 0, n, wf, p1);
    shmem_complexd_prod_to_all(rd, cd, 3, 0, 0, n, wd, p2);
    double complex product = 1;
    for (int p = 0; p < n; p++)
        product *= (p % 4 == 0 ? 1.0 : p % 4 == 1 ? -1.0 : 0.0) + (p % 4 == 2 ? 1.0 : p % 4 == 3 ? -1.0 : 0.0) * I;
    for (int i = 0; i < 3; i++) {
        ok &= crealf(rf[i]) == n * (n - 1) / 2 && cimagf(rf[i]) == n * i;
        ok &= creal(rd[i]) == creal(product) && cimag(rd[i]) == cimag(product);
    }
    if (!ok) printf("%d: %f%+fi %f%+fi\n", me, crealf(rf[1]), cimagf(rf[1]), creal(rd[0]), cimag(rd[0]));
    shmem_barrier_all();
    if (me == 0) printf("%s complex_sums\n", ok ? "PASS" : "FAIL");
    shmem_finalize();
    return !ok;
}
