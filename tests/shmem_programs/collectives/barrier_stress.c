// pes: 1 2 3 16
// expect: PASS barrier_stress
#include <shmem.h>
#include <stdio.h>

static int phase[16];
static long pSync[SHMEM_BARRIER_SYNC_SIZE];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), late = 0;
    for (int round = 1; round <= 30; ++round) {
        for (volatile int delay = (me * 37 + round * 11) % 50; delay > 0; --delay) {
        }
        for (int pe = 0; pe < n; ++pe) shmem_int_p(&phase[me], round, pe);
        if (round % 3)
            shmem_barrier_all();
        else
            shmem_barrier(0, 0, n, pSync);
        for (int pe = 0; pe < n; ++pe) late += phase[pe] < round;
    }
    if (late) printf("FAIL: PE %d: %d\n", me, late);
    shmem_barrier_all();
    if (me == 0 && !late) printf("PASS barrier_stress\n");
    shmem_finalize();
    return late;
}
