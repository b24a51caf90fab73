// pes: 8
// expect: PASS two_heaps
// malloc and shmem_malloc share a core's memory.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    int *list[16] = {0};
    for (int i = 0; i < 16; i++) {
        list[i] = malloc((i + me + 1) * sizeof(int));
        if (!list[i]) exit(1);
        for (int k = 0; k <= i + me; k++) list[i][k] = i * k;
    }
    int *shared = shmem_malloc(n * sizeof(int));
    for (int i = 0; i < 16; i += 2) free(list[i]);
    int *zeros = calloc(30, sizeof(int));
    for (int i = 0; i < 30; i++) bad += zeros[i] != 0;
    for (int pe = 0; pe < n; pe++) shmem_int_p(&shared[me], me * me, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++) bad += shared[pe] != pe * pe;
    for (int i = 1; i < 16; i += 2) {
        for (int k = 0; k <= i + me; k++) bad += list[i][k] != i * k;
        list[i] = realloc(list[i], 200);
        bad += list[i][1] != i;
        free(list[i]);
    }
    free(zeros);
    bad += shmem_addr_accessible(shared, 1) != 1 || shmem_pe_accessible(n - 1) != 1 || shmem_pe_accessible(n) != 0;
    if (bad) printf("PE %d: %d\n", me, bad);
    shmem_free(shared);
    if (!me && !bad) printf("PASS two_heaps\n");
    shmem_finalize();
    return bad;
}
