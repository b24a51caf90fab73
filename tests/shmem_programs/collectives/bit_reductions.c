// pes: 13
// expect: PASS bit_reductions
// and, or, xor; in place; repeatedly with one pSync and barriers in between.
#include <shmem.h>
#include <stdio.h>

int v[3], w[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
long lv[40], lo[40], lwrk[40];
long sync_array[SHMEM_REDUCE_SYNC_SIZE] = {SHMEM_SYNC_VALUE};

int main(void) {
    int me, n, fails = 0;
    start_pes(0);
    me = _my_pe();
    n = _num_pes();
    for (int round = 0; round < 4; round++) {
        v[0] = 1 << me; v[1] = ~(1 << me); v[2] = me + round;
        shmem_barrier_all();
        shmem_int_or_to_all(v, v, 1, 0, 0, n, w, sync_array);
        shmem_barrier_all();
        shmem_int_and_to_all(v + 1, v + 1, 1, 0, 0, n, w, sync_array);
        shmem_barrier_all();
        shmem_int_xor_to_all(v + 2, v + 2, 1, 0, 0, n, w, sync_array);
        int x = 0;
        for (int p = 0; p < n; p++) x ^= p + round;
        fails += v[0] != (1 << n) - 1;
        fails += v[1] != ~((1 << n) - 1);
        fails += v[2] != x;
        shmem_barrier_all();
    }
    for (int i = 0; i < 40; i++) lv[i] = (long)(me + 1) * (i + 1);
    shmem_barrier_all();
    shmem_long_xor_to_all(lo, lv, 40, 0, 0, n, lwrk, sync_array);
    for (int i = 0; i < 40; i++) {
        long x = 0;
        for (int p = 1; p <= n; p++) x ^= (long)p * (i + 1);
        fails += lo[i] != x;
    }
    if (fails) printf("PE %d: %d fails\n", me, fails);
    shmem_barrier_all();
    if (me == 0 && !fails) printf("PASS bit_reductions\n");
    return fails;
}
