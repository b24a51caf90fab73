// pes: 2 16
// expect: PASS any_order
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), peer = (me + 1) % shmem_n_pes(), bad = 0;
    char *block[6];
    for (int i = 0; i < 6; ++i) block[i] = shmem_malloc(100 + 50 * i);
    for (int i = 0; i < 6; ++i) bad += block[i] == NULL || (uintptr_t)block[i] % 8;
    shmem_free(block[1]);
    shmem_free(block[4]);
    shmem_free(block[0]);
    char *again = shmem_malloc(64);
    bad += again == NULL;
    memset(again, me, 64);
    shmem_barrier_all();
    char got[64];
    shmem_getmem(got, again, 64, peer);
    for (int i = 0; i < 64; ++i) bad += got[i] != peer;
    shmem_barrier_all();
    shmem_free(block[5]);
    shmem_free(again);
    shmem_free(block[2]);
    shmem_free(block[3]);
    long *aligned = shmem_align(256, 40);
    bad += (uintptr_t)aligned % 256 != 0;
    shmem_free(aligned);
    if (bad) printf("FAIL: PE %d: %d\n", me, bad);
    if (!me && !bad) printf("PASS any_order\n");
    shmem_finalize();
    return bad;
}
