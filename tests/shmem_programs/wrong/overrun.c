// A put exceeds the target block.
#include <shmem.h>

static int source[30];

int main(void) {
    shmem_init();
    int *small = shmem_malloc(25 * sizeof(int));
    int *behind = shmem_malloc(25 * sizeof(int));
    shmem_int_put(small, source, 30, 0);
    shmem_free(behind);
    shmem_free(small);
    shmem_finalize();
    return 0;
}
