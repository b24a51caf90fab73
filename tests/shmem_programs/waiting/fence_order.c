// pes: 2 16
// expect: PASS fence_order
#include <shmem.h>
#include <stdio.h>

static int payload[32];
static int ready;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int source[32], wrong = 0;
    for (int round = 1; round <= 5; ++round) {
        for (int i = 0; i < 32; ++i) source[i] = round * 100 + i;
        shmem_int_put(payload, source, 32, (me + 1) % n);
        shmem_fence();
        shmem_int_p(&ready, round, (me + 1) % n);
        shmem_int_wait_until(&ready, SHMEM_CMP_GE, round);
        for (int i = 0; i < 32; ++i) wrong += payload[i] != round * 100 + i;
        shmem_barrier_all();
    }
    if (wrong) printf("FAIL PE %d: %d\n", me, wrong);
    if (me == n - 1 && !wrong) printf("PASS fence_order\n");
    shmem_finalize();
    return wrong;
}
