// pes: 1 4 6 16
// expect: PASS collect_uneven
// PE p has p % 4 elements, so some have none.
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static long pSync[SHMEM_COLLECT_SYNC_SIZE];
static long long mine[4], all[64];

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < 4; ++i) mine[i] = me * 100LL + i;
    memset(all, 0xff, sizeof(all));
    shmem_barrier_all();
    shmem_collect64(all, mine, me % 4, 0, 0, n, pSync);
    int at = 0, bad = 0;
    for (int p = 0; p < n; ++p)
        for (int i = 0; i < p % 4; ++i) bad += all[at++] != p * 100LL + i;
    bad += at < 64 && all[at] != -1;
    if (bad) printf("FAIL: PE %d: %d\n", me, bad);
    if (me == 0 && !bad) printf("PASS collect_uneven\n");
    shmem_finalize();
    return bad;
}
