// pes: 16
// expect: PASS prefix_sum
// Exclusive prefix sums of blocks over PEs by doubling distances, with barriers as the only collective.
#include <shmem.h>
#include <stdio.h>

#define PER_PE 20
static int values[PER_PE];
static long sums[2], incoming;
static int bad;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    unsigned seed = 17u * me + 3;
    long total = 0;
    for (int i = 0; i < PER_PE; i++) {
        seed = seed * 1103515245u + 12345u;
        values[i] = seed >> 20 & 0xff;
        total += values[i];
    }
    long inclusive = total;
    for (int distance = 1; distance < n; distance *= 2) {
        shmem_barrier_all();
        if (me + distance < n) shmem_long_p(&incoming, inclusive, me + distance);
        shmem_barrier_all();
        if (me >= distance) inclusive += incoming;
    }
    sums[0] = inclusive - total;
    sums[1] = total;
    shmem_barrier_all();
    long expected = 0;
    for (int pe = 0; pe < me; pe++) expected += shmem_long_g(&sums[1], pe);
    if (expected != sums[0]) printf("PE %d: %ld instead of %ld\n", me, sums[0], expected), shmem_int_inc(&bad, 0);
    shmem_barrier_all();
    if (me == n - 1) printf("the last has %ld before it\n", sums[0]);
    if (me == 0) printf(bad ? "FAIL prefix_sum\n" : "PASS prefix_sum\n");
    shmem_finalize();
    return me == 0 && bad;
}
