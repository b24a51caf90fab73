/* run: -n 16; status 0
 * alltoall32, alltoall64 and alltoalls32 with strides. */
#include <shmem.h>
#include <stdio.h>

#define MAXPES 16
int a[MAXPES * 2], b[MAXPES * 2];
long long la[MAXPES], lb[MAXPES];
int sa[MAXPES * 2 * 3], sb[MAXPES * 2 * 2];
long sync1[SHMEM_ALLTOALL_SYNC_SIZE], sync2[SHMEM_ALLTOALL_SYNC_SIZE], sync3[SHMEM_ALLTOALLS_SYNC_SIZE];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), err = 0;
    for (int p = 0; p < n; p++) {
        a[2 * p] = me * 100 + p;
        a[2 * p + 1] = -(me * 100 + p);
        la[p] = ((long long)me << 40) + p;
        for (int k = 0; k < 2; k++) sa[(2 * p + k) * 3] = me * 1000 + p * 10 + k;
    }
    for (int i = 0; i < MAXPES * 4; i++) sb[i] = -9;
    for (int i = 0; i < SHMEM_ALLTOALL_SYNC_SIZE; i++) sync1[i] = sync2[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_ALLTOALLS_SYNC_SIZE; i++) sync3[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    shmem_alltoall32(b, a, 2, 0, 0, n, sync1);
    shmem_alltoall64(lb, la, 1, 0, 0, n, sync2);
    shmem_alltoalls32(sb, sa, 2, 3, 2, 0, 0, n, sync3);
    for (int p = 0; p < n; p++) {
        err += b[2 * p] != p * 100 + me || b[2 * p + 1] != -(p * 100 + me);
        err += lb[p] != ((long long)p << 40) + me;
        for (int k = 0; k < 2; k++) {
            err += sb[(2 * p + k) * 2] != p * 1000 + me * 10 + k;
            err += sb[(2 * p + k) * 2 + 1] != -9;
        }
    }
    if (err) printf("PE %d: %d errors\n", me, err);
    shmem_barrier_all();
    if (me == 0) printf("%s alltoall\n", err ? "FAIL" : "PASS");
    shmem_finalize();
    return err;
}
