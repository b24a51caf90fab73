// pes: 4
// expect: PASS realloc_keeps
#include <shmem.h>
#include <stdio.h>

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), bad = 0;
    int *list = shmem_malloc(4 * sizeof(int));
    for (int i = 0; i < 4; ++i) list[i] = me * 4 + i;
    list = shmem_realloc(list, 64 * sizeof(int));
    for (int i = 0; i < 4; ++i) bad += list[i] != me * 4 + i;
    int *tail = shmem_malloc(16);
    list = shmem_realloc(list, 100 * sizeof(int));
    for (int i = 0; i < 4; ++i) bad += list[i] != me * 4 + i;
    list[99] = me;
    shmem_barrier_all();
    bad += shmem_int_g(&list[99], (me + 1) % 4) != (me + 1) % 4;
    shmem_barrier_all();
    shmem_free(tail);
    shmem_free(list);
    if (bad) printf("FAIL: PE %d\n", me);
    if (me == 3 && !bad) printf("PASS realloc_keeps\n");
    shmem_finalize();
    return 0;
}
