// A put before shmem_init.
#include <shmem.h>

static int target;

int main(void) {
    shmem_int_p(&target, 5, 0);
    shmem_init();
    shmem_finalize();
    return 0;
}
