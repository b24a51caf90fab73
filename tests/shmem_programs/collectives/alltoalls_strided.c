// pes: 3 8
// expect: PASS alltoalls_strided
#include <shmem.h>
#include <stdio.h>

static int from[16 * 2 * 3], to[16 * 2 * 2];
static long sync_array[SHMEM_ALLTOALLS_SYNC_SIZE];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    for (int i = 0; i < n * 6; ++i) from[i] = me * 1000 + i;
    for (int i = 0; i < n * 4; ++i) to[i] = -1;
    shmem_barrier_all();
    shmem_alltoalls32(to, from, 2, 3, 2, 0, 0, n, sync_array);
    for (int p = 0; p < n; ++p)
        for (int k = 0; k < 2; ++k) {
            bad += to[(p * 2 + k) * 2] != p * 1000 + (me * 2 + k) * 3;
            bad += to[(p * 2 + k) * 2 + 1] != -1;
        }
    printf(bad ? "FAIL %d\n" : "", me);
    shmem_barrier_all();
    if (me == 0 && !bad) printf("PASS alltoalls_strided\n");
    shmem_finalize();
    return bad;
}
