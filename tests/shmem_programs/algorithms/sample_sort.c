// pes: 8
// expect: PASS sample_sort
// Splitters from samples, counts by alltoall, keys by puts.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define KEYS 64
#define PES 8
#define OVER 4
static int keys[KEYS], samples[OVER], all_samples[OVER * PES];
static int counts[PES], incoming[PES], room[KEYS * PES];
static long cs[SHMEM_COLLECT_SYNC_SIZE], as[SHMEM_ALLTOALL_SYNC_SIZE];

static int less(const void *a, const void *b) { return *(int *)a - *(int *)b; }

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    unsigned s = me * 7919 + 1;
    for (int i = 0; i < KEYS; i++) {
        s = s * 1664525u + 1013904223u;
        keys[i] = s >> 12 & 0xfff;
    }
    qsort(keys, KEYS, sizeof *keys, less);
    for (int i = 0; i < OVER; i++) samples[i] = keys[i * KEYS / OVER + KEYS / OVER / 2];
    shmem_barrier_all();
    shmem_fcollect32(all_samples, samples, OVER, 0, 0, PES, cs);
    qsort(all_samples, OVER * PES, sizeof(int), less);
    int begin[PES + 1] = {0};
    for (int p = 0, i = 0; p < PES; p++) {
        while (i < KEYS && (p == PES - 1 || keys[i] < all_samples[(p + 1) * OVER])) i++;
        begin[p + 1] = i;
        counts[p] = i - begin[p];
    }
    shmem_barrier_all();
    shmem_alltoall32(incoming, counts, 1, 0, 0, PES, as);
    for (int p = 0; p < PES; p++) shmem_int_put(room + me * KEYS, keys + begin[p], counts[p], p);
    shmem_barrier_all();
    int mine = 0;
    static int sorted[KEYS * PES];
    for (int p = 0; p < PES; p++)
        for (int i = 0; i < incoming[p]; i++) sorted[mine++] = room[p * KEYS + i];
    qsort(sorted, mine, sizeof(int), less);
    static int total, last;
    last = mine ? sorted[mine - 1] : -1;
    shmem_int_add(&total, mine, 0);
    shmem_barrier_all();
    int wrong = 0;
    for (int p = 0; p < me; p++) wrong += mine && shmem_int_g(&last, p) > sorted[0];
    if (me == 0) wrong += total != KEYS * PES;
    printf("PE %d has %d keys\n", me, mine);
    shmem_barrier_all();
    if (me == 0 && !wrong) puts("PASS sample_sort");
    shmem_finalize();
    return wrong;
}
