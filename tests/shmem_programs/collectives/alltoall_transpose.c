// pes: 2 4 16
// expect: PASS alltoall_transpose
// A matrix distributed by rows becomes its transpose.
#include <shmem.h>
#include <stdio.h>

#define BLOCK 2
static double row[16 * BLOCK], column[16 * BLOCK];
static long pSync[SHMEM_ALLTOALL_SYNC_SIZE];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    for (int j = 0; j < n * BLOCK; ++j) row[j] = me * 1000 + j;
    shmem_barrier_all();
    shmem_alltoall64(column, row, BLOCK, 0, 0, n, pSync);
    for (int p = 0; p < n; ++p)
        for (int b = 0; b < BLOCK; ++b) bad += column[p * BLOCK + b] != p * 1000 + me * BLOCK + b;
    if (bad) printf("FAIL PE %d\n", me);
    else if (me == 0) printf("PASS alltoall_transpose\n");
    shmem_finalize();
    return bad;
}
