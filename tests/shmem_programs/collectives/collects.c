// pes: 10
// expect: PASS collects
// collect with a different number of elements from each PE, possibly none, and fcollect with equal numbers.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long ps[2][SHMEM_COLLECT_SYNC_SIZE];

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    int *mine = shmem_malloc(n * sizeof *mine), *all = shmem_malloc(n * n * sizeof *all);
    double *few = shmem_malloc(3 * sizeof *few), *many = shmem_malloc(3 * n * sizeof *many);
    int wrong = 0, at = 0;
    int count = me % 3 == 0 ? 0 : me;
    for (int i = 0; i < count; i++) mine[i] = me * 1000 + i;
    for (int i = 0; i < 3; i++) few[i] = me + i / 4.0;
    for (int i = 0; i < n * n; i++) all[i] = -1;
    for (int i = 0; i < SHMEM_COLLECT_SYNC_SIZE; i++) ps[0][i] = ps[1][i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    shmem_collect32(all, mine, count, 0, 0, n, ps[0]);
    shmem_fcollect64(many, few, 3, 0, 0, n, ps[1]);
    for (int pe = 0; pe < n; pe++)
        for (int i = 0; i < (pe % 3 == 0 ? 0 : pe); i++) wrong += all[at++] != pe * 1000 + i;
    wrong += all[at] != -1;
    for (int i = 0; i < 3 * n; i++) wrong += many[i] != i / 3 + i % 3 * 0.25;
    if (wrong) printf("PE %d: %d wrong\n", me, wrong);
    shmem_barrier_all();
    shmem_free(mine);
    shmem_free(all);
    shmem_free(few);
    shmem_free(many);
    if (me == 0) printf("%s collects\n", wrong ? "FAIL" : "PASS");
    shmem_finalize();
    exit(wrong ? 1 : 0);
}
