// Allocations exhaust the heap, and the returned null pointer is used.
#include <shmem.h>
#include <string.h>

int main(void) {
    shmem_init();
    for (int i = 0; i < 10; i++) {
        int *block = shmem_malloc(6000);
        block[0] = i;
        memset(block, i, 6000);
    }
    shmem_finalize();
    return 0;
}
