// pes: 16
// expect: PASS block_sort
// Odd-even transposition sort of sorted blocks.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define M 16
static int data[M], other[M], merged[2 * M];

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long checksum = 0;
    srand(100 + me);
    for (int i = 0; i < M; i++) checksum += data[i] = rand() % 1000;
    qsort(data, M, sizeof(int), compare);
    for (int phase = 0; phase < n; phase++) {
        int partner = (me + phase) % 2 == 0 ? me + 1 : me - 1;
        shmem_barrier_all();
        if (partner >= 0 && partner < n) shmem_int_get(other, data, M, partner);
        shmem_barrier_all();
        if (partner < 0 || partner >= n) continue;
        memcpy(merged, data, sizeof data);
        memcpy(merged + M, other, sizeof other);
        qsort(merged, 2 * M, sizeof(int), compare);
        memcpy(data, merged + (partner > me ? 0 : M), sizeof data);
    }
    int wrong = 0;
    for (int i = 1; i < M; i++) wrong += data[i - 1] > data[i];
    shmem_barrier_all();
    if (me + 1 < n) wrong += data[M - 1] > shmem_int_g(&data[0], me + 1);
    static long sums[2];
    long now = 0;
    for (int i = 0; i < M; i++) now += data[i];
    shmem_long_add(&sums[0], checksum, 0);
    shmem_long_add(&sums[1], now, 0);
    shmem_barrier_all();
    if (me == 0) wrong += sums[0] != sums[1];
    if (wrong) printf("PE %d: %d wrong\n", me, wrong);
    if (me == 0 && !wrong) printf("PASS block_sort\n");
    shmem_finalize();
    return wrong;
}
