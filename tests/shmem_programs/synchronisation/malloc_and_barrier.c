// pes: 4
// expect: PASS malloc_and_barrier
// PE 2 calls barrier where others allocate, and vice versa: both count as one kind of synchronization.
#include <shmem.h>
#include <stdio.h>

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int *block = me == 2 ? 0 : shmem_malloc(8);
    if (me == 2) shmem_barrier_all();
    if (me != 2) shmem_barrier_all();
    if (me == 2) shmem_barrier_all();
    if (me == 0 && block) puts("PASS malloc_and_barrier");
    shmem_finalize();
    return 0;
}
