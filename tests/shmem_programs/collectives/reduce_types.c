/* run: -n 16; status 0
 * Sums, products, minima and maxima of several types over all PEs. */
#include <shmem.h>
#include <stdio.h>

#define N 5
static int is[N], id[N], iw[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static float fs[N], fd[N], fw[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static double ds[N], dd[N], dw[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long long ls[N], ld[N], lw[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static short ss[N], sd[N], sw[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long psync[2][SHMEM_REDUCE_SYNC_SIZE];
static int bad;

#define EXPECT(what) do { if (!(what)) { bad++; printf("PE %d: line %d\n", me, __LINE__); } } while (0)

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) psync[k][i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < N; i++) {
        is[i] = (me * 7 + i * 3) % n;
        fs[i] = me % 2 ? 0.5f : 2.0f;
        ds[i] = 1.0 / (1 << (me % 4)) + i;
        ls[i] = 1LL << (me + 20);
        ss[i] = (short)(me - 8 + i);
    }
    shmem_barrier_all();
    shmem_int_max_to_all(id, is, N, 0, 0, n, iw, psync[0]);
    for (int i = 0; i < N; i++) {
        int most = -1;
        for (int p = 0; p < n; p++) most = (p * 7 + i * 3) % n > most ? (p * 7 + i * 3) % n : most;
        EXPECT(id[i] == most);
    }
    shmem_float_prod_to_all(fd, fs, N, 0, 0, n, fw, psync[1]);
    for (int i = 0; i < N; i++) EXPECT(fd[i] == (n % 2 ? 2.0f : 1.0f));
    shmem_double_sum_to_all(dd, ds, N, 0, 0, n, dw, psync[0]);
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int p = 0; p < n; p++) sum += 1.0 / (1 << (p % 4)) + i;
        EXPECT(dd[i] == sum);
    }
    shmem_longlong_sum_to_all(ld, ls, N, 0, 0, n, lw, psync[1]);
    EXPECT(ld[N - 1] == ((1LL << n) - 1) << 20);
    shmem_short_min_to_all(sd, ss, N, 0, 0, n, sw, psync[0]);
    for (int i = 0; i < N; i++) EXPECT(sd[i] == i - 8);
    shmem_barrier_all();
    if (me == 0) printf("%s reduce_types\n", bad ? "FAIL" : "PASS");
    shmem_finalize();
    return bad != 0;
}
