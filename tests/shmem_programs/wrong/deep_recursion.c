// The stack grows into the heap.
#include <shmem.h>

__attribute__((noinline)) static int depth(int n, volatile int *where) {
    volatile int room[20];
    room[0] = n + *where;
    return n == 0 ? 0 : depth(n - 1, room) + room[0];
}

int main(void) {
    shmem_init();
    int *block = shmem_malloc(16000), zero = 0;
    int result = depth(1000, &zero);
    shmem_free(block);
    shmem_finalize();
    return result;
}
