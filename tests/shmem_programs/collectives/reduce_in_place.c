// pes: 4 6 16
// expect: PASS reduce_in_place
#include <shmem.h>
#include <stdio.h>

static double values[20], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync_[SHMEM_REDUCE_SYNC_SIZE], sync2[SHMEM_REDUCE_SYNC_SIZE];

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < 20; ++i) values[i] = i == me ? 100 + me : -i;
    shmem_barrier_all();
    shmem_double_max_to_all(values, values, 20, 0, 0, n, work, sync_);
    int bad = 0;
    for (int i = 0; i < 20; ++i) bad += values[i] != (i < n ? 100 + i : -i);
    shmem_barrier_all();
    shmem_double_min_to_all(values, values, 3, 0, 0, n, work, sync2);
    bad += values[2] != 102;
    if (bad) printf("FAIL %d: %d\n", me, bad);
    else if (me == 0) printf("PASS reduce_in_place\n");
    shmem_finalize();
    return 0;
}
