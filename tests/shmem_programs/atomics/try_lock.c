// pes: 8
// expect: PASS try_lock
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

long *lock;
int *shared;

int main(void) {
    shmem_init();
    lock = shmem_malloc(sizeof(long));
    shared = shmem_malloc(sizeof(int));
    *lock = 0;
    *shared = 0;
    shmem_barrier_all();
    int misses = 0;
    while (shmem_test_lock(lock)) ++misses;
    *(volatile int *)shmem_ptr(shared, 0) += 1;
    shmem_clear_lock(lock);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        if (*shared == shmem_n_pes())
            puts("PASS try_lock");
        else
            printf("FAIL: %d\n", *shared);
    }
    shmem_free(shared);
    shmem_free(lock);
    shmem_finalize();
    exit(0);
}
