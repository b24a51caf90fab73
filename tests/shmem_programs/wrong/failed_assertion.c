// An assertion fails on one PE.
#include <assert.h>
#include <shmem.h>
#include <stdio.h>

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    assert(me >= 0);
    if (me == 0) puts("so far so good");
    shmem_barrier_all();
    assert(me != 2 && "two is one too many");
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
