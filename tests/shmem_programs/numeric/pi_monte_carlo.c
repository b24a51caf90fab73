// pes: 16
// args: 500
// expect: PASS pi_monte_carlo
// Pi by random points from rand(); argv: points per PE.
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long long hits, all_hits;
static long long pWrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long pSync[SHMEM_REDUCE_SYNC_SIZE];

int main(int argc, char **argv) {
    int darts = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 100;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) pSync[i] = SHMEM_SYNC_VALUE;
    srand(me + 1);
    for (int i = 0; i < darts; i++) {
        double x = rand() / (double)RAND_MAX, y = rand() / (double)RAND_MAX;
        if (x < 0 || x > 1) shmem_global_exit(2);
        hits += x * x + y * y <= 1.0;
    }
    shmem_barrier_all();
    shmem_longlong_sum_to_all(&all_hits, &hits, 1, 0, 0, n, pWrk, pSync);
    double pi = 4.0 * all_hits / ((double)darts * n);
    if (me == 0) printf("pi is about %.4f\n", pi);
    int ok = fabs(pi - 3.14159265358979) < 0.1;
    if (me == 0) printf("%s pi_monte_carlo\n", ok ? "PASS" : "FAIL");
    shmem_finalize();
    return !ok;
}
