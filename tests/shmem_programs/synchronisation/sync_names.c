// pes: 12
// expect: PASS sync_names
// Names of OpenSHMEM 1.4: sync_all, sync, calloc, test, atomic_*.
#include <shmem.h>
#include <stdio.h>

long psync[SHMEM_BARRIER_SYNC_SIZE];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    int *counts = shmem_calloc(n, sizeof(int));
    int *flag = shmem_calloc(1, sizeof(int));
    size_t *size = shmem_calloc(1, sizeof(size_t));
    for (int i = 0; i < n; i++) bad += counts[i] != 0;
    shmem_sync_all();
    for (int pe = 0; pe < n; pe++) shmem_int_atomic_add(&counts[me], pe + 1, pe);
    shmem_barrier_all();
    for (int i = 0; i < n; i++) bad += counts[i] != me + 1;
    if (me % 2 == 1) shmem_sync(1, 1, n / 2, psync);
    int next = (me + 1) % n;
    shmem_int_atomic_set(flag, 42, next);
    long polls = 0;
    while (!shmem_int_test(flag, SHMEM_CMP_EQ, 42)) polls++;
    bad += shmem_int_atomic_fetch(flag, me) != 42;
    bad += shmem_int_atomic_compare_swap(flag, 42, 43, me) != 42;
    bad += shmem_int_atomic_swap(flag, 44, me) != 43;
    shmem_size_atomic_inc(size, 0);
    shmem_barrier_all();
    if (me == 0) bad += *size != (size_t)n;
    if (bad) printf("PE %d: %d bad, %ld polls\n", me, bad, polls);
    shmem_free(size);
    shmem_free(flag);
    shmem_free(counts);
    if (me == 0 && !bad) printf("PASS sync_names\n");
    shmem_finalize();
    return bad;
}
