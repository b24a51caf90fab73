// pes: 2 16
// expect: PASS odd_even_sort
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 16
static int keys[N], theirs[N];

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    srand(me * 17 + 3);
    for (int i = 0; i < N; i++) keys[i] = rand() % 1000;
    qsort(keys, N, sizeof(int), compare);
    for (int phase = 0; phase < n; phase++) {
        int partner = (phase + me) % 2 ? me - 1 : me + 1;
        shmem_barrier_all();
        if (partner >= 0 && partner < n) shmem_int_get(theirs, keys, N, partner);
        shmem_barrier_all();
        if (partner < 0 || partner >= n) continue;
        int merged[2 * N];
        memcpy(merged, keys, sizeof keys);
        memcpy(merged + N, theirs, sizeof theirs);
        qsort(merged, 2 * N, sizeof(int), compare);
        memcpy(keys, partner > me ? merged : merged + N, sizeof keys);
    }
    shmem_barrier_all();
    int bad = 0;
    for (int i = 1; i < N; i++) bad += keys[i - 1] > keys[i];
    if (me > 0) bad += shmem_int_g(&keys[N - 1], me - 1) > keys[0];
    if (bad) printf("FAIL: PE %d\n", me);
    shmem_barrier_all();
    if (me == 0 && !bad) printf("PASS odd_even_sort\n");
    shmem_finalize();
    return bad;
}
