// pes: 16
// expect: PASS swaps
// swap of float and double, cswap in a loop as compare-and-exchange maximum, set and fetch.
#include <shmem.h>
#include <stdio.h>

float fbox = -1;
double dbox = -1;
long long most;
int seen[17];

static void maximum(long long *where, long long value, int pe) {
    long long old = shmem_longlong_fetch(where, pe);
    while (old < value) {
        long long found = shmem_longlong_cswap(where, old, value, pe);
        if (found == old) return;
        old = found;
    }
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    float f = shmem_float_swap(&fbox, me, 0);
    shmem_int_inc(&seen[(int)f + 1], 0);
    double d = shmem_double_swap(&dbox, me + 0.25, n - 1);
    bad += d != -1 && d - (int)d != 0.25;
    maximum(&most, (long long)(me * 37 % 16) << 34, 0);
    shmem_barrier_all();
    if (me == 0) {
        seen[(int)fbox + 1]++;
        for (int i = 0; i <= n; i++) bad += seen[i] != 1; /* the swapped values form one chain */
        bad += most != 15LL << 34;
        shmem_float_set(&fbox, 6.5f, n - 1);
        bad += shmem_float_fetch(&fbox, n - 1) != 6.5f;
    }
    shmem_barrier_all();
    if (me == n - 1) bad += fbox != 6.5f;
    if (bad) printf("PE %d: %d\n", me, bad);
    if (me == 0 && !bad) printf("PASS swaps\n");
    shmem_finalize();
    return bad;
}
