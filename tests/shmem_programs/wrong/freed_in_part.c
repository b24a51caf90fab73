// An address within a block is freed.
#include <shmem.h>

int main(void) {
    shmem_init();
    int *block = shmem_malloc(100);
    shmem_free(block + 2);
    shmem_finalize();
    return 0;
}
