// A block is freed twice.
#include <shmem.h>

int main(void) {
    shmem_init();
    int *block = shmem_malloc(40);
    int *other = shmem_malloc(40);
    shmem_free(block);
    shmem_free(block);
    shmem_free(other);
    shmem_finalize();
    return 0;
}
