// pes: 16
// expect: PASS ordered_output
// PEs print in order: each waits for its predecessor.
#include <shmem.h>
#include <stdio.h>

static int turn;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_int_wait_until(&turn, SHMEM_CMP_EQ, me == 0 ? 0 : 1);
    printf("PE %d of %d\n", me, n);
    fflush(stdout);
    if (me + 1 < n)
        shmem_int_p(&turn, 1, me + 1);
    else
        printf("PASS ordered_output\n");
    shmem_finalize();
    return 0;
}
