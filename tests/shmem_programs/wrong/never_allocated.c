// A static array is freed.
#include <shmem.h>

static int array[10];

int main(void) {
    shmem_init();
    shmem_free(array);
    shmem_finalize();
    return 0;
}
