// pes: 2
// expect: PASS full
// An allocation larger than the memory returns null and leaves the heap unchanged.
#include <shmem.h>
#include <stdio.h>

int main(void) {
    shmem_init();
    void *huge = shmem_malloc(1 << 20);
    void *fine = shmem_malloc(1024);
    int ok = huge == NULL && fine != NULL && shmem_malloc(0) == NULL;
    shmem_free(fine);
    if (shmem_my_pe() == 0) printf(ok ? "PASS full\n" : "FAIL %p %p\n", huge, fine);
    shmem_finalize();
    return 0;
}
