// pes: 4 16
// expect: PASS pipeline
// Each PE adds one to passing items; credits return to the sender.
#include <shmem.h>
#include <stdio.h>

#define ITEMS 20
static volatile long item, arrived, credit = 1;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    for (long k = 1; k <= ITEMS; ++k) {
        long value;
        if (me == 0) {
            value = k * 10;
        } else {
            shmem_long_wait_until(&arrived, SHMEM_CMP_GE, k);
            value = item;
            shmem_long_p((long *)&credit, k + 1, me - 1);
        }
        if (me < n - 1) {
            shmem_long_wait_until(&credit, SHMEM_CMP_GE, k);
            shmem_long_p((long *)&item, value + 1, me + 1);
            shmem_fence();
            shmem_long_p((long *)&arrived, k, me + 1);
        } else if (value != k * 10 + n - 1) {
            bad++;
        }
    }
    shmem_barrier_all();
    if (me == n - 1) printf(bad ? "FAIL %d\n" : "PASS pipeline\n", bad);
    shmem_finalize();
    return 0;
}
