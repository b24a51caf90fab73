// pes: 1 2 3 8 16
// expect: PASS sum_reduce
#include <shmem.h>
#include <stdio.h>

#define N 40
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static long pSync[2][SHMEM_REDUCE_SYNC_SIZE];
static int pWrk[MAX(N / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE)];
static int src[N], dst[N];

int main(void) {
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) pSync[0][i] = pSync[1][i] = SHMEM_SYNC_VALUE;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    static const int sizes[] = {1, 15, 16, 17, 32, 33, 40};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (int i = 0; i < N; ++i) src[i] = me + i, dst[i] = -1;
        shmem_barrier_all();
        shmem_int_sum_to_all(dst, src, sizes[s], 0, 0, n, pWrk, pSync[s & 1]);
        for (int i = 0; i < N; ++i) bad += dst[i] != (i < sizes[s] ? n * i + n * (n - 1) / 2 : -1);
        shmem_barrier_all();
    }
    if (bad) printf("FAIL PE %d: %d\n", me, bad);
    if (me == 0 && !bad) printf("PASS sum_reduce\n");
    shmem_finalize();
    return bad;
}
