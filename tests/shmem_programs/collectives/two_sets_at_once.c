// pes: 16
// expect: PASS two_sets_at_once
// Two sets with a start and a stride work simultaneously, while the remaining PEs do something else.
#include <shmem.h>
#include <stdio.h>

static long reduce_sync[2][SHMEM_REDUCE_SYNC_SIZE];
static long bcast_sync[SHMEM_BCAST_SYNC_SIZE];
static long barrier_sync[SHMEM_BARRIER_SYNC_SIZE];
static int in, out = -1, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static int news, got;
static int progress;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), status = 0;
    in = 1 << me;
    news = me * 3;
    shmem_barrier_all();
    if (me % 4 == 1) { /* 1 5 9 13 */
        shmem_int_sum_to_all(&out, &in, 1, 1, 2, 4, work, reduce_sync[0]);
        if (out != (1 << 1 | 1 << 5 | 1 << 9 | 1 << 13)) status = 1;
        shmem_barrier(1, 2, 4, barrier_sync);
    } else if (me % 2 == 0 && me >= 4 && me <= 12) { /* 4 6 8 10 12 */
        shmem_int_max_to_all(&out, &in, 1, 4, 1, 5, work, reduce_sync[1]);
        if (out != 1 << 12) status = 2;
        shmem_broadcast32(&got, &news, 1, 2, 4, 1, 5, bcast_sync);
        if (got != (me == 8 ? 0 : 24)) status = 3;
    } else {
        shmem_int_inc(&progress, 0); /* 0 2 3 7 11 14 15 */
        if (out != -1) status = 4;
    }
    shmem_barrier_all();
    if (me == 0 && progress != 7) status = 5;
    if (status) printf("PE %d: status %d, out %x, got %d\n", me, status, (unsigned)out, got);
    if (me == 0 && !status) puts("PASS two_sets_at_once");
    shmem_finalize();
    return status;
}
