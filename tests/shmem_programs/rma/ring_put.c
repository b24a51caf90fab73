// pes: 1 2 5 16
// expect: PASS ring_put
#include <shmem.h>
#include <stdio.h>

static int target;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int npes = shmem_n_pes();
    target = -1;
    shmem_barrier_all();
    shmem_int_p(&target, me, (me + 1) % npes);
    shmem_barrier_all();
    int ok = target == (me + npes - 1) % npes;
    if (!ok) printf("FAIL: PE %d has %d\n", me, target);
    if (me == 0 && ok) printf("PASS ring_put\n");
    shmem_finalize();
    return 0;
}
