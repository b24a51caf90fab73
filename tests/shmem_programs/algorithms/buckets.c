// pes: 16
// expect: PASS buckets
// Buckets spread over PEs, counted with remote atomic adds.
#include <shmem.h>
#include <stdio.h>

#define BUCKETS 64
long *bucket;

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    bucket = shmem_malloc(BUCKETS / n * sizeof(long));
    for (int i = 0; i < BUCKETS / n; i++) bucket[i] = 0;
    shmem_barrier_all();
    for (int i = 0; i < 100; i++) {
        int value = (i * i + 13 * me) % BUCKETS;
        shmem_long_inc(&bucket[value / n], value % n);
    }
    shmem_barrier_all();
    int wrong = 0;
    for (int k = 0; k < BUCKETS / n; k++) {
        long expected = 0;
        for (int pe = 0; pe < n; pe++)
            for (int i = 0; i < 100; i++) expected += (i * i + 13 * pe) % BUCKETS == k * n + me;
        wrong += expected != bucket[k];
    }
    if (wrong) printf("PE %d: %d wrong buckets\n", me, wrong);
    shmem_free(bucket);
    if (me == 0 && !wrong) printf("PASS buckets\n");
    shmem_finalize();
    return wrong;
}
