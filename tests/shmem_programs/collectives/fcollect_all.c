// pes: 2 5 16
// expect: PASS fcollect_all
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static long pSync[_SHMEM_COLLECT_SYNC_SIZE];
    for (int i = 0; i < _SHMEM_COLLECT_SYNC_SIZE; i++) pSync[i] = _SHMEM_SYNC_VALUE;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int *from = shmem_malloc(6 * sizeof(int)), *to = shmem_malloc(6 * n * sizeof(int));
    for (int i = 0; i < 6; i++) from[i] = me * 6 + i;
    shmem_barrier_all();
    shmem_fcollect32(to, from, 6, 0, 0, n, pSync);
    int bad = 0;
    for (int i = 0; i < 6 * n; i++) bad += to[i] != i;
    if (bad) printf("FAIL: PE %d\n", me);
    if (!me && !bad) printf("PASS fcollect_all\n");
    shmem_free(to);
    shmem_free(from);
    shmem_finalize();
    return 0;
}
