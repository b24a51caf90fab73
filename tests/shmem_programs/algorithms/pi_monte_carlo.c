// pes: 4 16
// expect: PASS pi_monte_carlo
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long hits, total;
static long pWrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE], pSync[SHMEM_REDUCE_SYNC_SIZE];

int main(void) {
    const int points = 2000;
    shmem_init();
    srand(1 + shmem_my_pe());
    for (int i = 0; i < points; ++i) {
        double x = rand() / (double)RAND_MAX, y = rand() / (double)RAND_MAX;
        if (x * x + y * y < 1.0) ++hits;
    }
    shmem_barrier_all();
    shmem_long_sum_to_all(&total, &hits, 1, 0, 0, shmem_n_pes(), pWrk, pSync);
    if (shmem_my_pe() == 0) {
        double pi = 4.0 * total / points / shmem_n_pes();
        printf("pi is about %.4f\n", pi);
        printf("%s pi_monte_carlo\n", fabs(pi - 3.14159) < 0.08 ? "PASS" : "FAIL");
    }
    shmem_finalize();
    return 0;
}
