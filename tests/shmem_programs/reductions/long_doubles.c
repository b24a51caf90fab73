// pes: 6
// expect: PASS long_doubles
// long double: put, get, reductions, and software arithmetic.
#include <shmem.h>
#include <stdio.h>

long double here[2], there[2], result, pWrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
long pSync[SHMEM_REDUCE_SYNC_SIZE];

int main() {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), status = 0;
    here[0] = 1.0L / 3.0L;
    here[1] = (long double)me + 0.125L;
    shmem_longdouble_put(there, here, 2, (me + 1) % n);
    shmem_barrier_all();
    long double from = (me + n - 1) % n;
    if (there[0] * 3.0L - 1.0L > 1e-30L || there[1] != from + 0.125L) status |= 1;
    shmem_longdouble_sum_to_all(&result, here + 1, 1, 0, 0, n, pWrk, pSync);
    if (result != n * (n - 1) / 2 + n * 0.125L) status |= 2;
    shmem_barrier_all();
    shmem_longdouble_max_to_all(&result, there + 1, 1, 0, 0, n, pWrk, pSync);
    if (result != n - 1 + 0.125L) status |= 4;
    if (sizeof(long double) < sizeof(double)) status |= 8;
    if (status) printf("PE %d: status %d\n", me, status);
    if (me == 0 && status == 0) printf("PASS long_doubles\n");
    shmem_finalize();
    return status;
}
