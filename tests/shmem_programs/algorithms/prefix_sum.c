// pes: 1 6 16
// expect: PASS prefix_sum
#include <shmem.h>
#include <stdio.h>

static int value, received[5], arrived[5];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    value = me + 1;
    shmem_barrier_all();
    for (int round = 0, d = 1; d < n; d *= 2, ++round) {
        if (me + d < n) {
            shmem_int_p(&received[round], value, me + d);
            shmem_fence();
            shmem_int_p(&arrived[round], 1, me + d);
        }
        if (me >= d) {
            shmem_int_wait_until(&arrived[round], SHMEM_CMP_NE, 0);
            value += received[round];
        }
    }
    if (value != (me + 1) * (me + 2) / 2) printf("FAIL: PE %d: %d\n", me, value);
    shmem_barrier_all();
    if (me == 0) printf("PASS prefix_sum\n");
    shmem_finalize();
    return 0;
}
