// pes: 1 16
// expect: pi = 3.14159
// expect: PASS
#include <math.h>
#include <stdio.h>
#include <shmem.h>

float partial, pi, pWrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
long pSync[SHMEM_REDUCE_SYNC_SIZE];

int main() {
    int n = 1024, i;
    shmem_init();
    float h = 1.0f / n;
    for (i = shmem_my_pe(); i < n; i += shmem_n_pes()) {
        float x = h * (i + 0.5f);
        partial += 4.0f / (1.0f + x * x);
    }
    partial *= h;
    shmem_barrier_all();
    shmem_float_sum_to_all(&pi, &partial, 1, 0, 0, shmem_n_pes(), pWrk, pSync);
    if (shmem_my_pe() == 0) {
        printf("pi = %.5f\n", pi);
        puts(fabsf(pi - (float)M_PI) < 1e-5f ? "PASS" : "FAIL");
    }
    shmem_finalize();
    return 0;
}
