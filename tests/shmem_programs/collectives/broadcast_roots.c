// pes: 2 4 7 16
// expect: PASS broadcast_roots
#include <shmem.h>
#include <stdio.h>

static long pSync[2][SHMEM_BCAST_SYNC_SIZE];
static int source[9], dest[9];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    for (int root = 0; root < n; ++root) {
        for (int i = 0; i < 9; ++i) {
            source[i] = me * 10 + i;
            dest[i] = -1;
        }
        shmem_barrier_all();
        shmem_broadcast32(dest, source, 9, root, 0, 0, n, pSync[root % 2]);
        for (int i = 0; i < 9; ++i) bad += dest[i] != (me == root ? -1 : root * 10 + i);
        shmem_barrier_all();
    }
    if (bad) printf("FAIL: PE %d\n", me);
    if (!bad && me == 0) printf("PASS broadcast_roots\n");
    shmem_finalize();
    return 0;
}
