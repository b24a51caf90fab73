// pes: 16
// expect: PASS active_sets
// Odd PEs reduce, PEs 4 to 7 broadcast, and every fourth PE has a barrier; other PEs continue.
#include <shmem.h>
#include <stdio.h>

static long reduce_sync[SHMEM_REDUCE_SYNC_SIZE], bcast_sync[SHMEM_BCAST_SYNC_SIZE], barrier_sync[SHMEM_BARRIER_SYNC_SIZE];
static int work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], number, total, word, got, visits;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), bad = 0;
    number = me;
    word = 1000 + me;
    shmem_barrier_all();
    if (me % 2 == 1) {
        shmem_int_sum_to_all(&total, &number, 1, 1, 1, 8, work, reduce_sync);
        bad += total != 64;
    }
    if (me >= 4 && me < 8) {
        shmem_broadcast32(&got, &word, 1, 2, 4, 0, 4, bcast_sync);  // the root is PE 6
        bad += got != (me == 6 ? 0 : 1006);
    }
    if (me % 4 == 0) {
        for (int i = 1; i <= 3; ++i) {
            shmem_int_inc(&visits, 0);
            shmem_barrier(0, 2, 4, barrier_sync);
            bad += shmem_int_g(&visits, 0) < 4 * i;
        }
    }
    bad += me % 2 == 0 && total != 0;
    if (bad) printf("FAIL: PE %d: %d\n", me, bad);
    shmem_barrier_all();
    if (me == 15 && !bad) printf("PASS active_sets\n");
    shmem_finalize();
    return bad;
}
